import type { Address, Hash, TransactionReceipt } from 'viem'
import { CallReverted, type Chain, ChainUnavailable } from '../chain/chain.ts'
import { deskDeployment, factoryDeployment, reasonOf, sameAddress } from '../chain/contracts.ts'
import { takeNonce } from '../signers/signer.sql.ts'
import { signTransaction } from '../signers/signer.ts'
import type { ChainOp, ChainOpKey } from './chain-op.sql.ts'
import {
  type Attempts,
  findOp,
  insertAttempt,
  leaseOp,
  listAttempts,
  markBumped,
  markCancelling,
  moveOp,
  postponeOp,
  type TransactionAttempt,
} from './chain-op-life.sql.ts'
import { passCrashPoint } from './crash-points.ts'
import { endOp } from './end-op.ts'
import { bumpedFees } from './fees.ts'
import { inTenantWrite, requireSigner, type Settlement, signDigest } from './settlement.ts'

// Longer than the questions to a node of one step may take together.
const leaseMs = 5_000
const waitMs = 1_000

/**
 * Takes an op as far as it can go now. Everything that is known is in the database: a process may die at any line, and
 * another one goes on from what was committed last. What is sent was stored before, so what may be out there is known.
 */
export async function advanceOp(settlement: Settlement, key: ChainOpKey): Promise<void> {
  const now = settlement.clock()
  const until = new Date(now.getTime() + leaseMs)
  const op = await inTenantWrite(settlement, key.tenantId, (tx) => leaseOp(tx, key, now, until))
  const chain = op && settlement.chains.get(op.chain)
  if (!op || !chain) return
  try {
    let at: ChainOp | undefined = op
    while (at) at = await stepOf(settlement, chain, at)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    await wait(settlement, op)
    throw error
  }
}

/** One step; tells the op as it is then if there is more to do at once, and undefined where there is to wait. */
function stepOf(settlement: Settlement, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  if (op.state === 'QUEUED') return reserve(settlement, chain, op)
  if (op.state === 'RESERVED') return sign(settlement, chain, op)
  if (op.state === 'SIGNED') return watch(settlement, chain, op)
  if (op.state === 'MINED') return confirm(settlement, chain, op)
  return Promise.resolve(undefined)
}

async function wait(settlement: Settlement, op: ChainOp): Promise<undefined> {
  await inTenantWrite(settlement, op.tenantId, (tx) => postponeOp(tx, op, later(settlement)))
}

function later({ clock }: Settlement, ms = waitMs): Date {
  return new Date(clock().getTime() + ms)
}

/** Tries it on the node first: what would be reverted never gets a number. */
async function reserve(settlement: Settlement, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const dependency = await dependencyOf(settlement, op)
  if (dependency === 'failed') return end(settlement, op, 'REVERTED', 'what it depends on did not happen')
  if (dependency === 'open') return wait(settlement, op)
  if (op.isCancelling) return end(settlement, op, 'CANCELLED', null)
  const signer = await requireSigner(settlement, op)
  const deployed = deployedBy(op, signer.address)
  // Somebody else's deployment may still be reorganised away, and ours would be refused while it is there.
  if (deployed && (await chain.hasCode(deployed)))
    return (await chain.hasCode(deployed, 'finalized')) ? end(settlement, op, 'FINAL', null) : wait(settlement, op)
  let gas: bigint
  try {
    gas = await chain.estimateGas(signer.address, op)
  } catch (error) {
    if (error instanceof CallReverted) return end(settlement, op, 'REVERTED', reasonOf(error.data))
    throw error
  }
  passCrashPoint('estimated')
  const reserved = await inTenantWrite(settlement, op.tenantId, async (tx) => {
    const nonce = await takeNonce(tx, op)
    const moved = await moveOp(
      tx,
      'QUEUED',
      { ...op, state: 'RESERVED', nonce, gas: (gas * 5n) / 4n },
      later(settlement, 0),
    )
    passCrashPoint('reserving')
    // Another process was first: the number that was taken here goes back with the transaction.
    if (!moved) throw new Error('an op was reserved twice')
    return moved
  })
  passCrashPoint('reserved')
  return reserved
}

/** Where the code will be: if it is there already, somebody else has sent it, or we have, before a backup. */
function deployedBy({ kind }: ChainOp, signer: Address): Address | undefined {
  if (kind === 'DEPLOY_FACTORY') return factoryDeployment.address
  return kind === 'DEPLOY_DESK' ? deskDeployment(signer).address : undefined
}

async function dependencyOf(settlement: Settlement, op: ChainOp): Promise<'done' | 'open' | 'failed'> {
  const { dependsOn: opId, tenantId } = op
  if (!opId) return 'done'
  const dependency = await inTenantWrite(settlement, tenantId, (tx) => findOp(tx, { tenantId, opId }))
  if (dependency?.state === 'FINAL') return 'done'
  return dependency?.state === 'REVERTED' || dependency?.state === 'CANCELLED' ? 'failed' : 'open'
}

/** The first attempt: stored, and only then sent. */
async function sign(settlement: Settlement, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const attempt = await signAttempt(settlement, chain, op, { attempt: 1, ...(await chain.fees()) })
  const signed = await inTenantWrite(settlement, op.tenantId, async (tx) => {
    const isFirst = await insertAttempt(tx, op, attempt)
    return isFirst ? moveOp(tx, 'RESERVED', { ...op, state: 'SIGNED' }, later(settlement)) : undefined
  })
  if (!signed) return undefined
  passCrashPoint('stored')
  await chain.broadcast(attempt.raw)
  passCrashPoint('broadcast')
  return undefined
}

async function signAttempt(
  settlement: Settlement,
  chain: Chain,
  op: ChainOp,
  {
    attempt,
    maxFeePerGas,
    maxPriorityFeePerGas,
  }: Pick<TransactionAttempt, 'attempt' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
): Promise<Omit<TransactionAttempt, 'createdAt'>> {
  const signer = await requireSigner(settlement, op)
  if (op.nonce === null || op.gas === null) throw new Error('an op is signed before it has its number')
  // A cancellation sends nothing to ourselves with the same number.
  const call = op.isCancelling ? { to: signer.address, gas: 21_000n } : { to: op.to, data: op.data, gas: op.gas }
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  const transaction = { ...call, ...fees, chainId: await chain.id(), nonce: op.nonce }
  const { address } = signer
  const signDigestOf = (digest: `0x${string}`) => signDigest(settlement, op.tenantId, signer, digest)
  const signed = await signTransaction({ address, signDigest: signDigestOf }, transaction)
  return { ...signed, ...fees, attempt, isCancellation: op.isCancelling }
}

/** Is one of the attempts in a block? Else they are sent again, with a higher fee if that has taken too long. */
async function watch(settlement: Settlement, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const { tenantId } = op
  const attempts = await inTenantWrite(settlement, tenantId, (tx) => listAttempts(tx, op))
  const { own, foreign } = await receiptsOf(chain, op, attempts)
  if (own) return becomeMined(settlement, op, own)
  const isUsed = await isNumberUsed(settlement, chain, op)
  if (isUsed && foreign) return becomeMined(settlement, op, foreign)
  // The number is used for good, and by none of ours: a person must find out by what. Looked at once more, since one
  // of ours may have got into a block between the two questions.
  if (isUsed && !(await receiptsOf(chain, op, attempts)).own)
    return end(settlement, op, 'ALARM', `number ${op.nonce} of the signer was used by a transaction that is not ours`)
  // Done by somebody else with another number: ours must still be used, or all that come after it would wait for ever.
  const watched = foreign && !op.isCancelling ? await useForNothing(settlement, op) : op
  const latest = attempts.own.at(-1)
  if (latest && isOverdue(settlement, watched, latest)) await bump(settlement, chain, watched, latest, attempts.next)
  else if (latest) await chain.broadcast(latest.raw)
  return wait(settlement, op)
}

/** For good: by a transaction in a final block. */
async function isNumberUsed(settlement: Settlement, chain: Chain, op: ChainOp): Promise<boolean> {
  const signer = await requireSigner(settlement, op)
  return (await chain.transactionCount(signer.address, 'finalized')) > (op.nonce ?? 0)
}

async function useForNothing(settlement: Settlement, op: ChainOp): Promise<ChainOp> {
  await inTenantWrite(settlement, op.tenantId, (tx) => markCancelling(tx, op))
  return { ...op, isCancelling: true }
}

function becomeMined(settlement: Settlement, op: ChainOp, receipt: TransactionReceipt): Promise<ChainOp | undefined> {
  const mined = minedAt(op, receipt)
  passCrashPoint('mined')
  return inTenantWrite(settlement, op.tenantId, (tx) => moveOp(tx, 'SIGNED', mined, later(settlement, 0)))
}

interface Receipts {
  own: TransactionReceipt | undefined
  /** Of somebody else's transaction that asked for the very same and got it. */
  foreign: TransactionReceipt | undefined
}

async function receiptsOf(chain: Chain, op: ChainOp, { own, foreign }: Attempts): Promise<Receipts> {
  const [ours, theirs] = await Promise.all([
    Promise.all(own.map(({ hash }) => chain.receipt(hash))),
    Promise.all(foreign.map((hash) => foreignReceipt(chain, op, hash))),
  ])
  return { own: ours.find((one) => one !== undefined), foreign: theirs.find((one) => one !== undefined) }
}

/** A person may paste any hash: only a transaction that makes the call of the op has done it. */
async function foreignReceipt(chain: Chain, op: ChainOp, hash: Hash): Promise<TransactionReceipt | undefined> {
  const [call, receipt] = await Promise.all([chain.transaction(hash), chain.receipt(hash)])
  const isSame = call && sameAddress(call.to, op.to) && call.data === op.data
  return isSame && receipt?.status === 'success' ? receipt : undefined
}

function minedAt(op: ChainOp, { transactionHash, blockNumber, blockHash }: TransactionReceipt): ChainOp {
  return { ...op, state: 'MINED', minedHash: transactionHash, minedBlock: blockNumber, minedBlockHash: blockHash }
}

function isOverdue({ clock, bumpAfterMs }: Settlement, op: ChainOp, latest: TransactionAttempt): boolean {
  if (op.isBumping || (op.isCancelling && !latest.isCancellation)) return true
  return clock().getTime() - latest.createdAt.getTime() > bumpAfterMs
}

async function bump(
  settlement: Settlement,
  chain: Chain,
  op: ChainOp,
  latest: TransactionAttempt,
  next: number,
): Promise<void> {
  const fees = bumpedFees(latest, await chain.fees())
  if (!fees) {
    settlement.log.warn({ chain_op_id: op.id, tenant_id: op.tenantId }, 'the fee of a transaction is at its limit')
    if (op.isBumping) await inTenantWrite(settlement, op.tenantId, (tx) => markBumped(tx, op))
    return chain.broadcast(latest.raw)
  }
  const attempt = await signAttempt(settlement, chain, op, { attempt: next, ...fees })
  const isNew = await inTenantWrite(settlement, op.tenantId, (tx) => insertAttempt(tx, op, attempt))
  if (isNew) await chain.broadcast(attempt.raw)
}

/** Is the block final, and is it still there? */
async function confirm(settlement: Settlement, chain: Chain, op: ChainOp): Promise<ChainOp | undefined> {
  const { tenantId } = op
  const finalized = await chain.finalized()
  const attempts = await inTenantWrite(settlement, tenantId, (tx) => listAttempts(tx, op))
  const { own, foreign } = await receiptsOf(chain, op, attempts)
  const mined = attempts.own.find(({ hash }) => hash === own?.transactionHash)
  // What somebody else has done is done, though our number was used for nothing.
  const receipt = own && !(mined?.isCancellation && foreign) ? own : foreign
  // Reorganised away: the same bytes are sent again; also where somebody else's is there and our number is not used.
  if (!receipt || (!own && !(await isNumberUsed(settlement, chain, op)))) {
    const back = { ...op, state: 'SIGNED' as const, minedHash: null, minedBlock: null, minedBlockHash: null }
    return inTenantWrite(settlement, tenantId, (tx) => moveOp(tx, 'MINED', back, later(settlement, 0)))
  }
  if (receipt.blockHash !== op.minedBlockHash)
    return inTenantWrite(settlement, tenantId, (tx) => moveOp(tx, 'MINED', minedAt(op, receipt), later(settlement, 0)))
  if ([receipt, own].some((one) => one && one.blockNumber > finalized)) return wait(settlement, op)
  if (receipt === own && mined?.isCancellation) return end(settlement, op, 'CANCELLED', null)
  return receipt.status === 'success'
    ? end(settlement, op, 'FINAL', null)
    : end(settlement, op, 'REVERTED', 'the chain has refused it although the trial did not')
}

async function end(
  settlement: Settlement,
  op: ChainOp,
  state: 'FINAL' | 'REVERTED' | 'CANCELLED' | 'ALARM',
  failure: string | null,
): Promise<undefined> {
  await inTenantWrite(settlement, op.tenantId, (tx) => endOp(tx, op, state, failure, settlement.clock()))
  if (state === 'FINAL' || state === 'CANCELLED') return
  const fields = { chain_op_id: op.id, tenant_id: op.tenantId, problem: failure }
  settlement.log[state === 'ALARM' ? 'error' : 'warn'](fields, `a ${op.kind} ended as ${state}`)
}
