import type { Clock } from '../../platform/base/clock.ts'
import { job } from '../../platform/jobs/job.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { canBeBlocked, restoreBlockers } from '../blockers/order-blocker.sql.ts'
import {
  accountRecheck,
  type OfferingRecheck,
  offeringRechecks,
  recheckOrdersOfOffering,
} from '../blockers/recheck-orders.ts'
import { preconditionBlockers } from './blockers.ts'
import { findMintPreconditions, type MintPreconditions, selectMintPreconditions } from './mint-preconditions.ts'
import { canHaveBlockers } from './order-status.ts'
import {
  isPaid,
  lockOrder,
  type OrderId,
  type OrderPage,
  selectIdsOfOffering,
  selectOrdersToRecheck,
  updateOrder,
} from './order-transition.sql.ts'
import { recordOrderEvent, transitionOrder } from './transition-order.ts'

type Context = TenantDatabases & { readonly clock: Clock }

const pageSize = 200
const sliceMs = 2_000
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Rechecks every order of an account that is PAID or READYTOMINT, or ORDERED and free. Reads without locks, which is
 * enough to skip orders: every change after this job started enqueues another check.
 */
export const recheckAccount = job({
  ...accountRecheck,
  run: async ({ tenant_id: tenantId, account_id: accountId }, context: Context) => {
    await eachOrder(
      context,
      { tenantId, endsAt: Number.POSITIVE_INFINITY },
      async (tx, page) => selectMintPreconditions(tx, await selectOrdersToRecheck(tx, accountId, page)),
      async (order) => {
        if (!isUpToDate(order)) await recheck(context, { tenantId, orderId: order.id })
      },
    )
  },
})

/** Rechecks the PAID orders of an offering, when its soft cap is met. */
export const recheckOffering = offeringJob('check-offering-orders', isPaid, recheck)

/**
 * Updates the blockers of every order of an offering whose rules have changed, and rechecks it. Uses two transactions,
 * because the first locks the account and the second may have to lock the offering: a new order locks them in the
 * reverse order.
 */
export const recheckEligibility = offeringJob('apply-eligibility', canBeBlocked, async (context, key) => {
  await inTenantTransaction(context, { tenantId: key.tenantId, access: 'write' }, async (tx) => {
    const order = await lockOrder(tx, key)
    if (order && canHaveBlockers(order.status)) await restoreBlockers(tx, order)
  })
  await recheck(context, key)
})

/** Works in slices of a few seconds, so that a million orders do not delay the tenant's other jobs. */
function offeringJob(name: OfferingRecheck, isWanted: Sql, check: (context: Context, key: OrderId) => Promise<void>) {
  return job({
    ...offeringRechecks[name],
    run: async ({ tenant_id: tenantId, offering_id: offeringId, after }, context: Context) => {
      const last = await eachOrder(
        context,
        { tenantId, endsAt: performance.now() + sliceMs, after },
        (tx, page) => selectIdsOfOffering(tx, offeringId, isWanted, page),
        ({ id: orderId }) => check(context, { tenantId, orderId }),
      )
      if (last === undefined) return
      await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        recheckOrdersOfOffering(tx, { tenantId, offeringId }, name, last),
      )
    },
  })
}

/** Reads orders in pages. Returns the id of the last one if time is up before the end. */
async function eachOrder<Order extends { readonly id: string }>(
  context: Context,
  { tenantId, endsAt, after = firstId }: { tenantId: string; endsAt: number; after?: string | undefined },
  select: (tx: Transaction, page: OrderPage) => Promise<Order[]>,
  check: (order: Order) => Promise<void>,
): Promise<string | undefined> {
  for (let last = after; ; ) {
    const page = { tenantId, after: last, limit: pageSize }
    const orders = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) => select(tx, page))
    for (const order of orders) await check(order)
    if (orders.length < pageSize) return undefined
    last = orders.at(-1)?.id ?? last
    if (performance.now() >= endsAt) return last
  }
}

/** Changes an order in its own transaction: an account may have thousands, and nobody must wait for all of them. */
function recheck(context: Context, key: OrderId): Promise<void> {
  return inTenantTransaction(context, { tenantId: key.tenantId, access: 'write' }, (tx) =>
    checkOrder(tx, key, context.clock()),
  )
}

/** Returns true if a check would change nothing. */
function isUpToDate(preconditions: MintPreconditions): boolean {
  const { status, mintWalletId, walletId, reportedBlockers } = preconditions
  const blockers = preconditionBlockers(preconditions).map(({ code }) => code)
  if (status === 'READYTOMINT') return blockers.length === 0 && mintWalletId === walletId
  return status === 'PAID' && blockers.length > 0 && blockers.join() === reportedBlockers.join()
}

/**
 * Moves the order to READYTOMINT if its preconditions are met and back to PAID if they are not. Records order.blocked
 * if the blockers have changed.
 */
async function checkOrder(tx: Transaction, key: OrderId, now: Date): Promise<void> {
  let order = await lockOrder(tx, key)
  // An order that costs nothing counts as paid: no payment will ever arrive for it.
  if (order?.status === 'ORDERED' && order.totalAmount.isZero)
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
