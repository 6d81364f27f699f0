import { OfferingPath } from '../offering.schema.ts'
import { OperatorOffering } from './operator-offering.schema.ts'

/** Header members of the operations by which an operator changes an offering. */
export const offeringChange = {
  tag: 'Offerings',
  method: 'POST',
  offering: 'params.offeringId',
  idempotency: 'optional',
  params: OfferingPath,
  success: { status: 200, body: OperatorOffering },
} as const
