import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { transitionOrder } from '../../sales/orders/transition-order.ts'
import { chainOpErrors } from '../chain-ops/chain-op.errors.ts'
import { type ChainOp, findChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueMint } from './enqueue-mint.ts'
import { lockOrdersOfOp, type ReadyOrder } from './mint-orders.sql.ts'
import { selectMintable } from './select-mintable.ts'

/** There is no onFinal: the indexer makes an order MINTED when it reads the desk's event. */
export const mintHandler: ChainOpHandler = {
  followsUnfinalized: true,
  onFailed: splitOrReturn,
  retry: releaseOrders,
}

// After this many failures on the chain an order is put on hold for an operator.
const failuresMax = 3

/**
 * Handles the orders of a mint that did not happen. If the dry run reverted (the op has no nonce), at least one order
 * is bad: enqueues both halves, until the bad order is alone and on hold. Otherwise the orders are READYTOMINT again,
 * or PAID if they no longer meet the preconditions. It does not count as their failure if the mint's dependency failed.
 */
async function splitOrReturn(tx: Transaction, op: ChainOp, failure: string | null): Promise<void> {
  const orders = await lockOrdersOfOp(tx, op)
  const isBlameless = failure === null || (await hasFailedDependency(tx, op))
  const wasDryRun = op.nonce === null && !isBlameless
  if (wasDryRun && orders.length > 1) {
    const middle = Math.ceil(orders.length / 2)
    await enqueueMint(tx, op, orders.slice(0, middle))
    await enqueueMint(tx, op, orders.slice(middle))
    return
  }
  const mintable = await selectMintable(tx, orders)
  const returned = { failure: isBlameless ? null : failure, isBad: wasDryRun }
  await tx.each(orders, (tx, order) => returnOrder(tx, order, mintable.has(order.id), returned))
}

/** Returns true if the mint ended because its token or the registration of its wallets did not happen. */
async function hasFailedDependency(tx: Transaction, { tenantId, dependsOn: opId }: ChainOp): Promise<boolean> {
  const dependency = opId ? await findChainOp(tx, { tenantId, opId }) : undefined
  return dependency !== undefined && dependency.state !== 'FINAL'
}

async function returnOrder(
  tx: Transaction,
  order: ReadyOrder,
  isMintable: boolean,
  { failure, isBad }: { failure: string | null; isBad: boolean },
): Promise<void> {
  if (!isMintable) {
    // The wallet was suspended or lost its approval and is no longer registered, which is no failure of the order.
    await transitionOrder(tx, await transitionOrder(tx, order, 'READYTOMINT', { mintOpId: null }), 'PAID')
    return
  }
  const mintFailures = order.mintFailures + (failure === null ? 0 : 1)
  const isHeld = isBad || mintFailures >= failuresMax
  const mintHoldReason = isHeld && failure !== null ? failure : null
  await transitionOrder(tx, order, 'READYTOMINT', { mintFailures, mintHoldReason, mintOpId: null })
}

/** Lets the planner enqueue a new mint. Safe even if this mint happened: the desk mints an order only once. */
async function releaseOrders(tx: Transaction, op: ChainOp): Promise<{ releasedOrders: number }> {
  const orders = await lockOrdersOfOp(tx, op)
  if (orders.length === 0)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, 'No order waits for this mint any more.')
  await tx.each(orders, (tx, order) => transitionOrder(tx, order, 'READYTOMINT', { mintOpId: null }))
  return { releasedOrders: orders.length }
}
