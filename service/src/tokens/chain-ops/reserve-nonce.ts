import { CallReverted, type Chain } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { decodeRevertReason } from '../chain/contracts.ts'
import { allocateNonce } from '../signers/signer.sql.ts'
import { type ChainOp, findChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, requireSigner, wait } from './chain-op-context.ts'
import { moveOp } from './chain-op-engine.sql.ts'
import { passCrashPoint } from './crash-points.ts'
import { endOp } from './end-op.ts'

/** QUEUED → RESERVED. Estimates gas first, as a dry run: a call that would revert never gets a nonce. */
export async function reserveNonce(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const dependency = await dependencyState(context, op)
  if (dependency === 'failed') return endOp(context, op, 'REVERTED', 'the op that it depends on failed')
  if (dependency === 'open') return wait(context, op)
  if (op.isCancelling) return endOp(context, op, 'CANCELLED', null)
  const { address } = await requireSigner(context, op)
  const deployed = context.handlers[op.kind].deployedAddress?.(address)
  // Waits for finality: a reorg may still remove another sender's deployment, but ours would revert until then.
  if (deployed && (await chain.hasCode(deployed)))
    return (await chain.hasCode(deployed, 'finalized')) ? endOp(context, op, 'FINAL', null) : wait(context, op)
  let gas: bigint
  try {
    gas = await chain.estimateGas(address, op)
  } catch (error) {
    if (error instanceof CallReverted) return endOp(context, op, 'REVERTED', decodeRevertReason(error.data))
    throw error
  }
  passCrashPoint('estimated')
  const reserved = await inTenantWrite(context, op.tenantId, async (tx) => {
    const nonce = await allocateNonce(tx, op)
    // A quarter more than estimated: the state of the contracts may change until the call is executed.
    const gasLimit = (gas * 5n) / 4n
    const moved = await moveOp(tx, 'QUEUED', { ...op, state: 'RESERVED', nonce, gas: gasLimit }, context.clock())
    passCrashPoint('reserving')
    // Another process reserved it first. The rollback returns the nonce.
    if (!moved) throw new Error('a chain op was reserved twice')
    return moved
  })
  passCrashPoint('reserved')
  return reserved
}

async function dependencyState(context: ChainOpContext, op: ChainOp): Promise<'done' | 'open' | 'failed'> {
  const { dependsOn: opId, tenantId } = op
  if (!opId) return 'done'
  const dependency = await inTenantWrite(context, tenantId, (tx) => findChainOp(tx, { tenantId, opId }))
  if (dependency?.state === 'FINAL') return 'done'
  return dependency?.state === 'REVERTED' || dependency?.state === 'CANCELLED' ? 'failed' : 'open'
}
