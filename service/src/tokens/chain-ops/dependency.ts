import type { Chain } from '../chain/chain.ts'
import { inTenantRead, inTenantWrite } from '../chain/chain-context.ts'
import { fetchReceipts, loadAttempts } from './attempts.ts'
import { type ChainOp, findChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, nextCheckAt, requireSigner } from './chain-op-context.ts'
import { postponeDependent } from './chain-op-engine.sql.ts'

/** Finds the op that must happen before this one. */
export async function findDependency(
  context: ChainOpContext,
  { tenantId, dependsOn: opId }: ChainOp,
): Promise<ChainOp | undefined> {
  if (!opId) return undefined
  const dependency = await inTenantRead(context, tenantId, (tx) => findChainOp(tx, { tenantId, opId }))
  if (!dependency) throw new Error('the dependency of a chain op does not exist')
  return dependency
}

/**
 * Returns true if an op may be sent now. Both ops have the same signer and the dependency has the lower nonce, so the
 * chain executes it first, even after a reorg. An op of a kind that can be retried therefore follows as soon as the
 * dependency is in a block; confirm-op.ts makes it FINAL only after its dependency.
 */
export async function canFollow(
  context: ChainOpContext,
  chain: Chain,
  op: ChainOp,
  dependency: ChainOp,
): Promise<boolean> {
  if (dependency.state === 'FINAL') return true
  const { followsUnfinalized, isIndependent } = context.handlers[op.kind]
  if (!followsUnfinalized || dependency.chain !== op.chain) return false
  if (isIndependent) return dependency.state === 'SIGNED' || dependency.state === 'MINED'
  return hasHappened(context, chain, dependency)
}

/**
 * Asks the node whether the call of an op succeeded: a reorg may have removed it since it was MINED. A call to an
 * address without code succeeds too, so the contract of a deployment must exist. The dependency of an independent op
 * was not checked before, so it is checked now.
 */
async function hasHappened(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<boolean> {
  if (op.state === 'FINAL') return true
  if (op.state !== 'MINED') return false
  const earlier = context.handlers[op.kind].isIndependent && (await findDependency(context, op))
  if (earlier && !(await hasHappened(context, chain, earlier))) return false
  const attempts = await loadAttempts(context, op)
  const { own } = await fetchReceipts(chain, op, attempts)
  const mined = attempts.own.find(({ hash }) => hash === own?.transactionHash)
  if (own?.status !== 'success' || !mined || mined.isCancellation) return false
  const { deployedAddress } = context.handlers[op.kind]
  return !deployedAddress || chain.hasCode(deployedAddress(await requireSigner(context, op), op))
}

/** Ends the lease of an op that cannot be sent yet. */
export async function waitForDependency(context: ChainOpContext, op: ChainOp, dependency: ChainOp): Promise<undefined> {
  const times = { now: context.clock(), nextCheckAt: nextCheckAt(context, op) }
  await inTenantWrite(context, op.tenantId, (tx) => postponeDependent(tx, op, dependency, times))
}

/** Describes why an op ends because its dependency has not happened. */
export function failureOf({ kind, failure }: ChainOp): string {
  return failure === null ? `the ${kind} that it depends on was cancelled` : `${kind} before it failed: ${failure}`
}
