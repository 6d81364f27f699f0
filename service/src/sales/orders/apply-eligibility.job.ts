import type { Clock } from '../../platform/base/clock.ts'
import { job } from '../../platform/jobs/job.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { restoreBlockers } from '../blockers/order-blocker.sql.ts'
import { recheckEligibilityOfOrders, recheckOfEligibility } from '../blockers/recheck-orders.ts'
import { checkOrder } from './check-mint-preconditions.job.ts'
import { canHaveBlockers } from './order-status.ts'
import { lockOrder, type OrderId, selectOrdersWithBlockers } from './order-transition.sql.ts'

const pageSize = 200
const sliceMs = 2_000
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Updates the blockers of every order of an offering whose rules have changed, and moves orders whose preconditions
 * have changed. Works in slices of a few seconds, so that a million orders do not delay the tenant's other jobs.
 */
export const applyEligibilityToOrders = job({
  ...recheckOfEligibility,
  run: async (payload, context: TenantDatabases & { clock: Clock }) => {
    const { tenant_id: tenantId, offering_id: offeringId } = payload
    const endsAt = performance.now() + sliceMs
    let { after = firstId } = payload
    for (;;) {
      const page = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) =>
        selectOrdersWithBlockers(tx, { tenantId, offeringId, after, limit: pageSize }),
      )
      for (const { id: orderId } of page) await applyToOrder(context, { tenantId, orderId })
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.id
      if (performance.now() >= endsAt) break
    }
    await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
      recheckEligibilityOfOrders(tx, { tenantId, offeringId }, after),
    )
  },
})

/**
 * Uses two transactions, because the first locks the account and the second may have to lock the offering: a new order
 * locks them in the reverse order.
 */
async function applyToOrder(context: TenantDatabases & { clock: Clock }, key: OrderId): Promise<void> {
  const write = { tenantId: key.tenantId, access: 'write' } as const
  await inTenantTransaction(context, write, async (tx) => {
    const order = await lockOrder(tx, key)
    if (order && canHaveBlockers(order.status)) await restoreBlockers(tx, order)
  })
  await inTenantTransaction(context, write, (tx) => checkOrder(tx, key, context.clock()))
}
