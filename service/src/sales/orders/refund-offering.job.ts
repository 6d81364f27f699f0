import { Type } from 'typebox'
import type { Clock } from '../../platform/base/clock.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { job } from '../../platform/jobs/job.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import { cancelLockedOrder } from './cancel-locked-order.ts'
import { canBecome } from './order-status.ts'
import { lockOrder, type OrderId } from './order-transition.sql.ts'
import { selectOrdersToCancel, setRefundedAll } from './refund-offering.sql.ts'

const pageSize = 100
const sliceMs = 2_000

const refundQueue = {
  name: 'refund-offering',
  payload: Type.Object({ tenant_id: Type.String(), offering_id: Type.String() }),
  keyOf: ({ offering_id: offeringId }: { offering_id: string }) => offeringId,
} as const

/**
 * Cancels all orders of an offering whose soft cap was missed, which refunds their payments. Each order has its own
 * transaction, and a cancelled order is not selected again: a worker that is killed loses nothing, and the next one
 * continues where it stopped. Works in slices, so that other jobs of the tenant get their turn.
 */
export const refundOffering = job({
  ...refundQueue,
  run: async ({ tenant_id: tenantId, offering_id: offeringId }, context: TenantDatabases & { clock: Clock }) => {
    const key = { tenantId, offeringId }
    const endsAt = performance.now() + sliceMs
    while (performance.now() < endsAt) {
      const orderIds = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) =>
        selectOrdersToCancel(tx, key, pageSize),
      )
      for (const orderId of orderIds)
        await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
          cancelOrderOfMissedSoftCap(tx, { tenantId, orderId }, context.clock()),
        )
      if (orderIds.length < pageSize)
        return inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
          setRefundedAll(tx, key, context.clock()),
        )
    }
    await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) => enqueueRefundOfAll(tx, key))
  },
})

/** Enqueues the job. Call it in the transaction that stores the decision. */
export function enqueueRefundOfAll(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<void> {
  return enqueueJob(tx, refundQueue, { tenant_id: tenantId, offering_id: offeringId })
}

/** Checks the status again under the lock: another worker may have cancelled the order since it was selected. */
async function cancelOrderOfMissedSoftCap(tx: Transaction, key: OrderId, now: Date): Promise<void> {
  const order = await lockOrder(tx, key)
  if (!order || !canBecome(order.status, 'CANCELLED')) return
  await cancelLockedOrder(tx, order, now)
  await appendAudit(
    tx,
    { type: 'system', id: null, requestId: null },
    {
      action: 'order.cancelled',
      subject: { type: 'order', id: order.id },
      before: { status: order.status, paid_amount: order.paidAmount },
      after: { status: 'CANCELLED', paid_amount: '0', reason: 'The offering missed its soft cap.' },
    },
  )
}
