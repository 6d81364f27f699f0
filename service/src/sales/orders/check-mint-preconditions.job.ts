import type { Clock } from '../../platform/base/clock.ts'
import { minorUnitsOf } from '../../platform/base/money.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { job } from '../../platform/jobs/job.ts'
import { mintPreconditionsCheck } from '../accounts/recheck-mint-preconditions.ts'
import { preconditionBlockers } from './blockers.ts'
import { findMintPreconditions } from './mint-preconditions.ts'
import { moveOrder, recordOrderEvent } from './move-order.ts'
import { lockOrder, type OrderId, selectOrdersToRecheck, updateOrder } from './order-transition.sql.ts'

const pageSize = 200

/**
 * Checks the mint preconditions of every order of an account that is PAID or READYTOMINT. Each order has its own
 * transaction: an account may have thousands of orders, and other requests must not wait for all of them.
 */
export const checkMintPreconditions = job({
  ...mintPreconditionsCheck,
  run: async ({ tenant_id: tenantId, account_id: accountId }, context: TenantDatabases & { clock: Clock }) => {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const page = { tenantId, accountId, after, limit: pageSize }
      const ids = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) =>
        selectOrdersToRecheck(tx, page),
      )
      for (const orderId of ids)
        await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
          checkOrder(tx, { tenantId, orderId }, context.clock()),
        )
      const last = ids.at(-1)
      if (last === undefined || ids.length < pageSize) return
      after = last
    }
  },
})

/**
 * Moves the order to READYTOMINT if its preconditions are met and back to PAID if they are not. Records order.blocked
 * if the blockers have changed.
 */
async function checkOrder(tx: Transaction, key: OrderId, now: Date): Promise<void> {
  let order = await lockOrder(tx, key)
  // An order that costs nothing counts as paid: no payment will ever arrive for it.
  if (order?.status === 'ORDERED' && minorUnitsOf(order.totalAmount, order.currency) === 0n)
    order = await moveOrder(tx, order, 'PAID', { paidAt: now })
  if (order?.status !== 'PAID' && order?.status !== 'READYTOMINT') return
  // Read after the lock: every later change to these facts enqueues another check.
  const preconditions = await findMintPreconditions(tx, order)
  const blockers = preconditionBlockers(preconditions).map(({ code }) => code)
  const isSameWallet = order.mintWalletId === preconditions.walletId
  if (order.status === 'READYTOMINT') {
    if (blockers.length === 0 && isSameWallet) return
    order = await moveOrder(tx, order, 'PAID')
  }
  if (blockers.length === 0)
    await moveOrder(tx, order, 'READYTOMINT', { mintWalletId: preconditions.walletId, reportedBlockers: [] })
  else if (blockers.join() !== order.reportedBlockers.join()) {
    const blocked = { ...order, reportedBlockers: blockers }
    await Promise.all([updateOrder(tx, 'PAID', blocked), recordOrderEvent(tx, blocked, 'order.blocked', { blockers })])
  }
}
