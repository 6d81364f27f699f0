import { inTenantTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { job } from '../../platform/jobs/job.ts'
import { gateCheck } from '../accounts/recheck-mint-preconditions.ts'
import { gateBlockers } from './blockers.ts'
import { coins, gateFactsOf } from './mint-preconditions.ts'
import { moveOrder, tellOfOrder } from './move-order.ts'
import { listGatedOrders, lockOrder, type OrderId, updateOrder } from './order-life.sql.ts'

const pageSize = 200

/**
 * Looks at every order of an account that waits at its gates or has passed them. Each in a transaction of its own: an
 * account may have thousands, and nobody else shall wait for all of them.
 */
export const checkMintPreconditions = job({
  ...gateCheck,
  run: async ({ tenant_id: tenantId, account_id: accountId }, context) => {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const page = { tenantId, accountId, after, limit: pageSize }
      const ids = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) => listGatedOrders(tx, page))
      for (const orderId of ids) await checkOrder(context, { tenantId, orderId }, context.clock())
      const last = ids.at(-1)
      if (last === undefined || ids.length < pageSize) return
      after = last
    }
  },
})

async function checkOrder(databases: TenantDatabases, key: OrderId, now: Date): Promise<void> {
  await inTenantTransaction(databases, { tenantId: key.tenantId, access: 'write' }, (tx) => passGates(tx, key, now))
}

/** To READYTOMINT when nothing is missing, back to PAID when something is; word of what is missing when that is new. */
async function passGates(tx: Transaction, key: OrderId, now: Date): Promise<void> {
  let order = await lockOrder(tx, key)
  // What costs nothing is paid: no money will ever come to say so.
  if (order?.status === 'ORDERED' && coins(order.totalAmount, order.currency) === 0n)
    order = await moveOrder(tx, order, 'PAID', { paidAt: now })
  if (order?.status !== 'PAID' && order?.status !== 'READYTOMINT') return
  // Read after the lock: whoever changes one of these later asks for another check.
  const facts = await gateFactsOf(tx, order)
  const missing = gateBlockers(facts).map(({ code }) => code)
  const isWalletKept = order.mintWalletId === facts.walletId
  if (order.status === 'READYTOMINT') {
    if (missing.length === 0 && isWalletKept) return
    order = await moveOrder(tx, order, 'PAID')
  }
  if (missing.length === 0)
    await moveOrder(tx, order, 'READYTOMINT', { mintWalletId: facts.walletId, toldBlockers: [] })
  else if (missing.join() !== order.toldBlockers.join()) {
    const told = { ...order, toldBlockers: missing }
    await Promise.all([updateOrder(tx, 'PAID', told), tellOfOrder(tx, told, 'order.blocked', { blockers: missing })])
  }
}
