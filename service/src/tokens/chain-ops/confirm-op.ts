import type { Chain } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { fetchReceipts, isNonceUsed, loadAttempts, minedIn } from './attempts.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { type ChainOpContext, requireSigner, wait } from './chain-op-context.ts'
import { moveOp } from './chain-op-engine.sql.ts'
import { failureOf, findDependency } from './dependency.ts'
import { endOp } from './end-op.ts'

/** MINED → FINAL, REVERTED or CANCELLED once the block is finalized; → SIGNED if a reorg removed the transaction. */
export async function confirmOp(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const finalized = await chain.finalized()
  if (await isOnlyWaiting(chain, op, finalized)) return wait(context, op)
  const attempts = await loadAttempts(context, op)
  const { own, foreign } = await fetchReceipts(chain, op, attempts)
  const mined = attempts.own.find(({ hash }) => hash === own?.transactionHash)
  // If a foreign transaction made the call and ours is the cancellation, the call did happen: the foreign one counts.
  const receipt = own && !(mined?.isCancellation && foreign) ? own : foreign
  // A foreign transaction alone is not enough: as long as our nonce is unused, the attempts must be watched.
  if (!receipt || (!own && !(await isNonceUsed(context, chain, op)))) return moveMined(context, backToSigned(op))
  if (receipt.blockHash !== op.minedBlockHash) return moveMined(context, minedIn(op, receipt))
  if ([receipt, own].some((one) => one && one.blockNumber > finalized)) return wait(context, op)
  const spentWei = own ? own.gasUsed * own.effectiveGasPrice : 0n
  if (receipt === own && mined?.isCancellation) return endOp(context, op, 'CANCELLED', null, spentWei)
  if (receipt.status !== 'success' && !(await isDeployed(context, chain, op)))
    return endOp(context, op, 'REVERTED', 'the transaction reverted although its dry run succeeded', spentWei)
  const dependency = await findDependency(context, op)
  if (!dependency || dependency.state === 'FINAL') return endOp(context, op, 'FINAL', null, spentWei)
  // The op was sent once its dependency was in a block, which a reorg removed. Its success proves nothing: a call to an
  // address without code succeeds. An operator or the planner retries it, which is harmless if the call did happen.
  return hasFailed(dependency) ? endOp(context, op, 'REVERTED', failureOf(dependency), spentWei) : wait(context, op)
}

/**
 * Returns true if the block of the transaction is still on the chain and not finalized. Most checks of an op end here.
 */
async function isOnlyWaiting(
  chain: Chain,
  { minedBlock, minedBlockHash }: ChainOp,
  finalized: bigint,
): Promise<boolean> {
  if (minedBlock === null || minedBlock <= finalized) return false
  const head = await chain.head()
  return minedBlock <= head.number && (await chain.block(minedBlock)).hash === minedBlockHash
}

function hasFailed({ state }: ChainOp): boolean {
  return state === 'REVERTED' || state === 'CANCELLED' || state === 'ALARM'
}

/**
 * Returns true if the contract exists although our deployment reverted: another tenant deployed the same one before.
 */
async function isDeployed(context: ChainOpContext, chain: Chain, op: ChainOp): Promise<boolean> {
  const address = context.handlers[op.kind].deployedAddress?.(await requireSigner(context, op), op)
  return address !== undefined && chain.hasCode(address, 'finalized')
}

function moveMined(context: ChainOpContext, op: ChainOp): Promise<ChainOp | undefined> {
  return inTenantWrite(context, op.tenantId, (tx) => moveOp(tx, 'MINED', op, context.clock()))
}

/** The next step then sends the same bytes again. */
function backToSigned(op: ChainOp): ChainOp {
  return { ...op, state: 'SIGNED', minedHash: null, minedBlock: null, minedBlockHash: null }
}
