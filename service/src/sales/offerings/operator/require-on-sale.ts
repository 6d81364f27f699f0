import { ApiError } from '../../../platform/api/errors/errors.ts'
import { offeringErrors } from '../offering.errors.ts'
import type { OfferingStatus } from './operator-offering.sql.ts'

/** Throws unless the offering is open or paused. */
export function requireOnSale(status: OfferingStatus, verb: 'paused' | 'resumed' | 'given other terms'): void {
  if (status === 'OPEN' || status === 'PAUSED') return
  throw new ApiError(
    offeringErrors.offering_not_on_sale,
    `The offering is ${status}: only an open or paused offering can be ${verb}.`,
  )
}
