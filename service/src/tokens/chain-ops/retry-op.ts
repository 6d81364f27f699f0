import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { moveOrder } from '../../sales/orders/move-order.ts'
import { lockOrdersOfOp } from '../minting/mint-orders.sql.ts'
import { isTokenActionKind } from '../token-actions/token-action.ts'
import { chainOpErrors } from './chain-op.errors.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { dedupeKeyOf, enqueueRetry, findLastTry, repointHolders } from './chain-op-queue.sql.ts'

/**
 * Asks again for an op that did not happen, or of which nobody knows: only what the chain itself does once, however
 * often it is sent. A burn is not that, so nobody sends it again without a second person.
 */
export async function retryOp(tx: Transaction, op: ChainOp): Promise<{ opId: string; released: number }> {
  if (isTokenActionKind(op.kind))
    throw new ApiError(chainOpErrors.chain_op_not_retryable, `A ${op.kind} has to be proposed again, and confirmed.`)
  return op.kind === 'MINT' ? releaseOrders(tx, op) : queueAgain(tx, op)
}

/** The planner makes a new mint of them, with whatever else is ready by then. */
async function releaseOrders(tx: Transaction, op: ChainOp): Promise<{ opId: string; released: number }> {
  const orders = await lockOrdersOfOp(tx, op)
  if (orders.length === 0)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, 'No order waits for this mint any more.')
  await Promise.all(orders.map((order) => moveOrder(tx, order, 'READYTOMINT', { mintOpId: null })))
  return { opId: op.id, released: orders.length }
}

async function queueAgain(tx: Transaction, op: ChainOp): Promise<{ opId: string; released: number }> {
  const { tenantId, chain, kind, offeringId } = op
  const dedupeKey = await dedupeKeyOf(tx, tenantId, op.id)
  const last = await findLastTry(tx, tenantId, dedupeKey)
  if (last?.id !== op.id)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, `It was tried again already, as ${last?.id}.`)
  const call = { to: op.to, data: op.data }
  const dependsOn = await lastTryOf(tx, op)
  const opId = await enqueueRetry(tx, { tenantId, chain, kind, dedupeKey, call, offeringId, dependsOn }, last.tries)
  if (kind === 'REGISTER_WALLETS' && (await repointHolders(tx, op, opId)) === 0)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, 'No wallet waits for this registration any more.')
  return { opId, released: 0 }
}

/** What it depends on may have failed and been tried again: then on that. */
async function lastTryOf(tx: Transaction, { tenantId, dependsOn }: ChainOp): Promise<string | null> {
  if (!dependsOn) return null
  const last = await findLastTry(tx, tenantId, await dedupeKeyOf(tx, tenantId, dependsOn))
  return last?.id ?? dependsOn
}
