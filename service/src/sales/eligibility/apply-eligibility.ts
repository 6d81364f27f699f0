import { Type } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'

/** Applies the rules of an offering to its orders. sales/orders runs the job. */
export const eligibilityCheck = {
  name: 'apply-eligibility',
  payload: Type.Object({
    tenant_id: Type.String(),
    offering_id: Type.String(),
    /** The last order that was checked. */
    after: Type.Optional(Type.String()),
  }),
  // A job that continues must not replace one that starts.
  keyOf: ({ offering_id: offeringId, after = '' }: { offering_id: string; after?: string }) => offeringId + after,
} as const

/** Enqueues the job. Call it in the transaction that changes the rules. */
export async function applyEligibility(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  after?: string,
): Promise<void> {
  const payload = { tenant_id: tenantId, offering_id: offeringId }
  await enqueueJob(tx, eligibilityCheck, after === undefined ? payload : { ...payload, after })
}
