import type { TransactionReceipt } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { fetchReceipts, isNonceUsed, loadAttempts, minedIn } from './attempts.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, wait } from './chain-op-context.ts'
import { clearFeeIncrease, makeDependentsDue, markCancelling, moveOp } from './chain-op-engine.sql.ts'
import { insertAttempt, type SignedTx } from './chain-tx.sql.ts'
import { passCrashPoint } from './crash-points.ts'
import { endOp } from './end-op.ts'
import { bumpedFees } from './fees.ts'
import { signAttempt } from './sign-op.ts'

/**
 * SIGNED → MINED once an attempt is in a block, or → ALARM if a foreign transaction used the nonce. Otherwise sends the
 * latest attempt again, or replaces it if it is overdue.
 */
export async function watchOp(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const attempts = await loadAttempts(context, op)
  const { own, foreign } = await fetchReceipts(chain, op, attempts)
  if (own) return becomeMined(context, op, own)
  const isUsed = await isNonceUsed(context, chain, op)
  if (isUsed && foreign) return becomeMined(context, op, foreign)
  // Checks the receipts again, because one of ours may have been mined and finalized between the two calls.
  if (isUsed && !(await fetchReceipts(chain, op, attempts)).own) {
    const failure = `nonce ${op.nonce} of the signer was used by a transaction that this service did not send`
    return endOp(context, op, 'ALARM', failure)
  }
  // A foreign transaction with another nonce made the call. Our nonce must still be consumed: the chain executes no
  // later one before it.
  const watched = foreign && !op.isCancelling ? await cancelOwnTransaction(context, op) : op
  const latest = attempts.own.at(-1)
  if (latest && isOverdue(context, watched, latest))
    await replaceAttempt(context, chain, watched, latest, attempts.next)
  else if (latest) await chain.broadcast(latest.raw)
  return wait(context, op, latest?.createdAt)
}

function becomeMined(context: ChainOpContext, op: ChainOp, receipt: TransactionReceipt): Promise<ChainOp | undefined> {
  const mined = minedIn(op, receipt)
  passCrashPoint('mined')
  const now = context.clock()
  return inTenantWrite(context, op.tenantId, async (tx) => {
    const moved = await moveOp(tx, 'SIGNED', mined, now)
    if (moved) await makeDependentsDue(tx, op, now)
    return moved
  })
}

async function cancelOwnTransaction(context: ChainOpContext, op: ChainOp): Promise<ChainOp> {
  await inTenantWrite(context, op.tenantId, (tx) => markCancelling(tx, op))
  return { ...op, isCancelling: true }
}

function isOverdue({ clock, bumpAfterMs }: ChainOpContext, op: ChainOp, latest: SignedTx): boolean {
  if (op.isFeeIncreaseRequested || (op.isCancelling && !latest.isCancellation)) return true
  return clock().getTime() - latest.createdAt.getTime() > bumpAfterMs
}

/** Signs another attempt with the same nonce and a higher fee. At the fee limit, sends the latest attempt again. */
async function replaceAttempt(
  context: ChainOpContext,
  chain: Chain,
  op: ChainOp,
  latest: SignedTx,
  attempt: number,
): Promise<void> {
  const fees = bumpedFees(latest, await chain.fees(), context.feeMax)
  if (!fees) {
    context.log.warn({ chain_op_id: op.id, tenant_id: op.tenantId }, 'the fee of a chain op has reached its limit')
    if (op.isFeeIncreaseRequested) await inTenantWrite(context, op.tenantId, (tx) => clearFeeIncrease(tx, op))
    return chain.broadcast(latest.raw)
  }
  const signed = await signAttempt(context, chain, op, { attempt, fees })
  const isNew = await inTenantWrite(context, op.tenantId, (tx) => insertAttempt(tx, op, signed))
  if (isNew) await chain.broadcast(signed.raw)
}
