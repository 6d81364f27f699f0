import type { Static } from 'typebox'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, type Failure, validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { recordEvent } from '../../../records/events/event.sql.ts'
import { offeringErrors } from '../offering.errors.ts'
import { differenceOf } from './offering-audit.ts'
import { offeringChange } from './offering-change.ts'
import { termFailures } from './offering-terms.ts'
import { SaleTermsChange } from './operator-offering.schema.ts'
import {
  findOffering,
  lockOffering,
  type OperatorOfferingRow,
  saleTermsFingerprint,
  updateLockedSaleTerms,
} from './operator-offering.sql.ts'
import { termsOf, viewOperatorOffering } from './operator-offering.view.ts'
import { requireOnSale } from './require-on-sale.ts'

export const changeSaleTerms = operatorOperation(
  {
    ...offeringChange,
    id: 'changeSaleTerms',
    summary: 'Change the end and the limits of an open offering',
    description:
      'Changes `closes_at`, `total_units`, `min_units` and `max_units` of an open or paused offering; always with a ' +
      'second person. Existing orders keep their terms. `total_units` cannot be fewer than the reserved and minted ' +
      'units, and cannot be raised above `token_cap`: raise that first, with the token action `SET_CAP`. All other ' +
      'terms are fixed once an offering is open.',
    path: '/offerings/:offeringId/terms',
    duty: 'offerings',
    approval: 'always',
    body: SaleTermsChange,
    bodyExamples: {
      longer: { closes_at: '2030-12-31T23:00:00.000Z', reason: 'The board has extended the sale.' },
      larger: { total_units: '200000000000000', reason: 'Second tranche.' },
    },
    errors: [
      requestErrors.not_found,
      offeringErrors.offering_not_on_sale,
      offeringErrors.offering_cap_too_low,
      offeringErrors.token_cap_too_low,
    ],
  },
  async ({ params, body: { reason, ...change } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    requireOnSale(offering.status, 'given other terms')
    const before = termsOf(offering)
    const terms = { ...before, ...change }
    const failures = [...termFailures(terms), ...pastEnd(change, now)]
    if (failures.length > 0) throw validationFailed(failures)
    const sold = BigInt(offering.reservedUnits) + BigInt(offering.issuedUnits)
    if (BigInt(terms.total_units) < sold)
      throw new ApiError(
        offeringErrors.offering_cap_too_low,
        `The member total_units must be at least ${sold}: that many units are reserved or minted.`,
      )
    requireWithinTokenCap(offering, terms.total_units)
    await updateLockedSaleTerms(tx, key, terms)
    const changed = found(await findOffering(tx, key), 'There is no such offering.')
    const difference = differenceOf(before, termsOf(changed))
    if (!difference) audit('nothing changed')
    else {
      const data = { offering_id: params.offeringId, changed: Object.keys(difference.after) }
      await recordEvent(tx, tenantId, { type: 'offering.changed', data })
      audit({
        action: 'offering.terms_changed',
        subject: { type: 'offering', id: params.offeringId },
        before: difference.before,
        after: { ...difference.after, reason },
      })
    }
    return viewOperatorOffering(changed)
  },
  { policy: 'always', subject: 'offering', fingerprint: saleTermsFingerprint },
)

/** Rejects only a higher total: two persons may have lowered the cap below the total on purpose. */
function requireWithinTokenCap(
  { totalUnits, tokenCap, blockchain }: Pick<OperatorOfferingRow, 'totalUnits' | 'tokenCap' | 'blockchain'>,
  newTotal: string,
): void {
  if (tokenCap === null || BigInt(newTotal) <= BigInt(totalUnits) || BigInt(newTotal) <= BigInt(tokenCap)) return
  throw new ApiError(
    offeringErrors.token_cap_too_low,
    `The member total_units must be at most ${tokenCap}, the cap of the token on ${blockchain}. Raise the cap first: ` +
      'propose the token action SET_CAP and wait until it is executed.',
  )
}

/** Rejects an end in the past, which would stop sales without the status CLOSED. */
function pastEnd({ closes_at: closesAt }: Partial<Static<typeof SaleTermsChange>>, now: Date): Failure[] {
  if (typeof closesAt !== 'string' || Date.parse(closesAt) > now.getTime()) return []
  const detail = 'The member closes_at must be in the future. To stop sales at once, pause or close the offering.'
  return [{ detail, pointer: '/closes_at' }]
}
