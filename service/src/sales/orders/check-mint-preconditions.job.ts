import type { Clock } from '../../platform/base/clock.ts'
import { minorUnitsOf } from '../../platform/base/money.ts'
import { job } from '../../platform/jobs/job.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recheckOfAccount, recheckOfOffering, recheckOrdersOfOffering } from '../blockers/recheck-orders.ts'
import { preconditionBlockers } from './blockers.ts'
import { findMintPreconditions, type MintPreconditions, selectMintPreconditions } from './mint-preconditions.ts'
import {
  lockOrder,
  type OrderId,
  selectOfferingOrdersToRecheck,
  selectOrdersToRecheck,
  updateOrder,
} from './order-transition.sql.ts'
import { recordOrderEvent, transitionOrder } from './transition-order.ts'

const pageSize = 200
const sliceMs = 2_000
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Checks the mint preconditions of every order of an account that is PAID or READYTOMINT, or ORDERED and free. Changes
 * each order in its own transaction: an account may have thousands, and other requests must not wait for all of them.
 */
export const checkMintPreconditions = job({
  ...recheckOfAccount,
  run: async ({ tenant_id: tenantId, account_id: accountId }, context: TenantDatabases & { clock: Clock }) => {
    let after = firstId
    for (;;) {
      const page = await readPage(context, { tenantId, accountId, after, limit: pageSize })
      for (const order of page)
        if (!isUpToDate(order))
          await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
            checkOrder(tx, { tenantId, orderId: order.id }, context.clock()),
          )
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.id
    }
  },
})

/** Reads without locks, which is enough to skip orders: every change after this job started enqueues another check. */
function readPage(
  context: TenantDatabases,
  page: Parameters<typeof selectOrdersToRecheck>[1],
): Promise<MintPreconditions[]> {
  return inTenantTransaction(context, { tenantId: page.tenantId, access: 'read' }, async (tx) => {
    const orders = await selectOrdersToRecheck(tx, page)
    return selectMintPreconditions(tx, orders)
  })
}

/** Returns true if a check would change nothing. */
function isUpToDate(preconditions: MintPreconditions): boolean {
  const { status, mintWalletId, walletId, reportedBlockers } = preconditions
  const blockers = preconditionBlockers(preconditions).map(({ code }) => code)
  if (status === 'READYTOMINT') return blockers.length === 0 && mintWalletId === walletId
  return status === 'PAID' && blockers.length > 0 && blockers.join() === reportedBlockers.join()
}

/**
 * Checks the PAID orders of an offering, when its soft cap is met. Works in slices of a few seconds, so that a million
 * orders do not delay the tenant's other jobs.
 */
export const checkOfferingOrders = job({
  ...recheckOfOffering,
  run: async (payload, context: TenantDatabases & { clock: Clock }) => {
    const { tenant_id: tenantId, offering_id: offeringId } = payload
    const endsAt = performance.now() + sliceMs
    let { after = firstId } = payload
    for (;;) {
      const page = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) =>
        selectOfferingOrdersToRecheck(tx, { tenantId, offeringId, after, limit: pageSize }),
      )
      for (const order of page)
        await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
          checkOrder(tx, { tenantId, orderId: order.id }, context.clock()),
        )
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.id
      if (performance.now() >= endsAt) break
    }
    await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
      recheckOrdersOfOffering(tx, { tenantId, offeringId }, after),
    )
  },
})

/**
 * Moves the order to READYTOMINT if its preconditions are met and back to PAID if they are not. Records order.blocked
 * if the blockers have changed.
 */
export async function checkOrder(tx: Transaction, key: OrderId, now: Date): Promise<void> {
  let order = await lockOrder(tx, key)
  // An order that costs nothing counts as paid: no payment will ever arrive for it.
  if (order?.status === 'ORDERED' && minorUnitsOf(order.totalAmount, order.currency) === 0n)
    order = await transitionOrder(tx, order, 'PAID', { paidAt: now })
  if (order?.status !== 'PAID' && order?.status !== 'READYTOMINT') return
  // Reads after taking the lock: every later change to these facts enqueues another check.
  const preconditions = await findMintPreconditions(tx, order)
  if (isUpToDate(preconditions)) return
  const blockers = preconditionBlockers(preconditions).map(({ code }) => code)
  if (order.status === 'READYTOMINT') order = await transitionOrder(tx, order, 'PAID')
  if (blockers.length === 0)
    await transitionOrder(tx, order, 'READYTOMINT', { mintWalletId: preconditions.walletId, reportedBlockers: [] })
  else if (blockers.join() !== order.reportedBlockers.join()) {
    const blocked = { ...order, reportedBlockers: blockers }
    await tx.batch(
      (tx) => updateOrder(tx, 'PAID', blocked),
      (tx) => recordOrderEvent(tx, blocked, 'order.blocked', { blockers }),
    )
  }
}
