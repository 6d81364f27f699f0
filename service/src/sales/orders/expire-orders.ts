import { logFailure } from '../../platform/base/log-failure.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { lockOrder, type OrderId } from './order-transition.sql.ts'
import { areOrdersOverdue, selectOverdueOrders } from './overdue-order.sql.ts'
import { transitionOrder } from './transition-order.ts'

// The next runs finish a larger backlog.
const batchMax = 500

/**
 * Moves orders that were not paid by their deadline to NOPAYMENT. Finds them across all tenants with the worker's
 * limited view, then changes each in a transaction of its tenant.
 */
export const expireOrders = loop({
  name: 'expire-orders',
  everyMs: 1_000,
  isDue: () => areOrdersOverdue,
  run: async (context) => {
    const now = context.clock()
    for (const key of await selectOverdueOrders(context.pool, now, batchMax))
      await logFailure(context.log.child({ tenant_id: key.tenantId }), 'an order could not be expired', () =>
        expireOrder(context, key, now),
      )
  },
})

/** Runs under the row lock, so that a concurrent payment is booked either before or after the deadline. */
export async function expireOrder(databases: TenantDatabases, key: OrderId, now: Date): Promise<void> {
  await inTenantTransaction(databases, { tenantId: key.tenantId, access: 'write' }, async (tx) => {
    const order = await lockOrder(tx, key)
    if (order?.status === 'ORDERED' && order.paymentDueAt <= now) await transitionOrder(tx, order, 'NOPAYMENT')
  })
}
