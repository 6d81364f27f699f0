import { CallReverted, type Chain } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { decodeRevertReason } from '../chain/contracts.ts'
import { allocateNonce } from '../signers/signer.sql.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, requireSigner, wait } from './chain-op-context.ts'
import { moveOp } from './chain-op-engine.sql.ts'
import { passCrashPoint } from './crash-points.ts'
import { canFollow, failureOf, findDependency, waitForDependency } from './dependency.ts'
import { endOp } from './end-op.ts'
import { hasCurrentCall, refreshCall } from './refresh-call.ts'

/** QUEUED → RESERVED. Estimates gas first, as a dry run: a call that would revert never gets a nonce. */
export async function reserveNonce(
  context: ChainOpContext,
  chain: Chain,
  queued: ChainOp,
): Promise<ChainOp | undefined> {
  if (queued.isCancelling) return endOp(context, queued, 'CANCELLED', null)
  const dependency = await findDependency(context, queued)
  if (dependency?.state === 'REVERTED' || dependency?.state === 'CANCELLED')
    return endOp(context, queued, 'REVERTED', failureOf(dependency))
  if (dependency && !(await canFollow(context, chain, queued, dependency)))
    return waitForDependency(context, queued, dependency)
  const op = await withCurrentCall(context, queued)
  if (!op) return endOp(context, queued, 'CANCELLED', null)
  const signer = await requireSigner(context, op)
  const { address } = signer
  const deployed = context.handlers[op.kind].deployedAddress?.(signer, op)
  // The op waits for finality: a reorg may still remove another sender's deployment, but ours would revert until then.
  if (deployed && (await chain.hasCode(deployed)))
    return (await chain.hasCode(deployed, 'finalized')) ? endOp(context, op, 'FINAL', null) : wait(context, op)
  let gas: bigint
  try {
    gas = await chain.estimateGas(address, op)
  } catch (error) {
    if (!(error instanceof CallReverted)) throw error
    // A reorg may have removed the dependency since the check above: only its end shows that the call is wrong.
    if (dependency && dependency.state !== 'FINAL') return wait(context, op)
    // Another tenant has sent the same deployment. Some nodes let a dry run see transactions that wait for a block.
    if (deployed && (await chain.hasCode(deployed, 'pending'))) return wait(context, op)
    return endOp(context, op, 'REVERTED', decodeRevertReason(error.data))
  }
  passCrashPoint('estimated')
  const reserved = await inTenantWrite(context, op.tenantId, async (tx) => {
    // The dry run was for another call, so the next check starts again.
    if ((await refreshCall(tx, context, op))?.data !== op.data) return undefined
    const nonce = await allocateNonce(tx, op)
    // The limit is a quarter above the estimate: the state of the contracts may change until the call is executed.
    const gasLimit = (gas * 5n) / 4n
    const moved = await moveOp(tx, 'QUEUED', { ...op, state: 'RESERVED', nonce, gas: gasLimit }, context.clock())
    passCrashPoint('reserving')
    // Another process reserved it first. The rollback returns the nonce.
    if (!moved) throw new Error('a chain op was reserved twice')
    return moved
  })
  if (!reserved) return wait(context, op)
  passCrashPoint('reserved')
  return reserved
}

async function withCurrentCall(context: ChainOpContext, op: ChainOp): Promise<ChainOp | undefined> {
  return hasCurrentCall(context, op) ? inTenantWrite(context, op.tenantId, (tx) => refreshCall(tx, context, op)) : op
}
