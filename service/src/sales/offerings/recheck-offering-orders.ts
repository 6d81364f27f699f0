import { Type } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { OfferingKey } from './offering.sql.ts'

/** Checks the mint preconditions of all paid orders of an offering. sales/orders runs the job. */
export const offeringOrdersCheck = {
  name: 'check-offering-orders',
  payload: Type.Object({
    tenant_id: Type.String(),
    offering_id: Type.String(),
    /** The last order that was checked. */
    after: Type.Optional(Type.String()),
  }),
  // A check that continues must not replace one that starts.
  keyOf: ({ offering_id: offeringId, after = '' }: { offering_id: string; after?: string }) => offeringId + after,
} as const

/** Enqueues the check. Call it in the transaction that changes a precondition of all orders, such as the soft cap. */
export async function recheckOfferingOrders(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  after?: string,
): Promise<void> {
  const payload = { tenant_id: tenantId, offering_id: offeringId }
  await enqueueJob(tx, offeringOrdersCheck, after === undefined ? payload : { ...payload, after })
}
