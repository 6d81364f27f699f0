/**
 * The chain-op engine: executes each enqueued contract call on its chain once, with the tenant's key.
 *
 *     QUEUED ──► RESERVED ──► SIGNED ──► MINED ──► FINAL        or REVERTED, CANCELLED, ALARM
 *
 * A worker makes every move but the last one below. Each is a compare-and-set on the state (moveOp) in one transaction.
 *
 * | from     | to        | file             | when                                                                    |
 * |----------|-----------|------------------|-------------------------------------------------------------------------|
 * | QUEUED   | RESERVED  | reserve-nonce.ts | its dependency has happened (dependency.ts), and the dry run succeeds   |
 * | QUEUED   | REVERTED  | reserve-nonce.ts | the dependency failed, or the dry run reverts                           |
 * | QUEUED   | CANCELLED | reserve-nonce.ts | an operator cancelled the op, or nothing is left of its call            |
 * | QUEUED   | FINAL     | reserve-nonce.ts | the contract to deploy already exists in a finalized block              |
 * | RESERVED | SIGNED    | sign-op.ts       | the first attempt is signed and stored; it is broadcast afterwards      |
 * | SIGNED   | MINED     | watch-op.ts      | an attempt is in a block                                                |
 * | SIGNED   | ALARM     | watch-op.ts      | a finalized transaction that is none of the attempts used the nonce     |
 * | MINED    | SIGNED    | confirm-op.ts    | a reorg removed the transaction                                         |
 * | MINED    | FINAL     | confirm-op.ts    | the block is finalized, and the op's dependency is FINAL                |
 * | MINED    | REVERTED  | confirm-op.ts    | the block is finalized, and the transaction or the dependency failed    |
 * | MINED    | CANCELLED | confirm-op.ts    | the block is finalized and the transaction is the cancellation          |
 * | ALARM    | SIGNED    | operator/attach-transaction.ts | an operator attached the transaction that used the nonce  |
 *
 * | state     | what is stored and what it means                              | after a crash in this state           |
 * |-----------|---------------------------------------------------------------|---------------------------------------|
 * | QUEUED    | The call. No nonce; nothing can be on the chain.              | The dry run starts again.             |
 * | RESERVED  | Nonce and gas limit. Nothing was sent with the nonce.         | Another worker signs, same nonce.     |
 * | SIGNED    | Bytes and hash of every attempt (chain_tx). They may be in    | Another worker looks up the receipts  |
 * |           | the mempool, in a block, or nowhere.                          | and sends the same bytes again.       |
 * | MINED     | The block of one attempt. A reorg can still remove it.        | Another worker checks the block.      |
 * | FINAL     | The call is in a finalized block.                             |                                       |
 * | REVERTED  | The call had no effect; `failure` says why.                   | (An operator may retry the op.)       |
 * | CANCELLED | The call never happens: no nonce was reserved, or an empty    |                                       |
 * |           | transaction consumed it.                                      |                                       |
 * | ALARM     | A finalized transaction that is none of the attempts used the | (An operator attaches the transaction |
 * |           | nonce. Whether the call happened is unknown.                  | or retries the op.)                   |
 *
 * Why it is safe:
 * - **The nonce is allocated in the transaction that makes the op RESERVED.** If it were allocated alone, a crash
 *   would leave a gap, and the chain executes no later nonce of the signer before the gap is filled. If the op were
 *   reserved first, two ops could get the same nonce.
 * - **A call that depends on rows is read again in the transaction that reserves its nonce** (refresh-call.ts): a
 *   wallet that was suspended meanwhile is not registered. From then on the call is fixed, because it may be signed.
 * - **An attempt is stored before it is broadcast.** After a crash, the stored hashes are therefore all transactions
 *   of the op that can exist, and no worker signs another one without knowing them. An attempt that was stored but
 *   never sent is harmless.
 * - **A reserved nonce is always consumed**: by the call, by a replacement with a higher fee, or by an empty
 *   transaction from the signer to itself (cancellation). They share the nonce, so the chain includes at most one of
 *   them.
 * - **Responses to broadcasts are ignored.** Only receipts and finalized nonces count, and no error is classified by
 *   its text.
 * - **Leases instead of locks.** A worker leases an op for five seconds and calls the node without an open
 *   transaction. If it is slower than its lease, its compare-and-set fails and changes nothing.
 * - **Effects commit with the end.** What a kind does on success or failure (see ChainOpHandler) runs in the
 *   transaction that ends the op. Orders are the exception: the indexer makes them MINTED, from the event of the mint
 *   desk.
 *
 * If all this fails, for example because the database was restored from a backup, the contracts still mint each order
 * only once: the call contains the order's id.
 */
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import type { ChainOp, ChainOpKey } from './chain-op.sql.ts'
import type { ChainOpState } from './chain-op.ts'
import { type ChainOpContext, wait } from './chain-op-context.ts'
import { leaseOp } from './chain-op-engine.sql.ts'
import { confirmOp } from './confirm-op.ts'
import { reserveNonce } from './reserve-nonce.ts'
import { signOp } from './sign-op.ts'
import { watchOp } from './watch-op.ts'

// Longer than all node calls of one step together usually take. A slower worker loses the op, which is safe.
const leaseMs = 5_000

/** Returns the op in its new state if the next step can follow at once; undefined if the op ended or has to wait. */
type Step = (context: ChainOpContext, chain: Chain, op: ChainOp) => Promise<ChainOp | undefined>

const steps: Partial<Record<ChainOpState, Step>> = {
  QUEUED: reserveNonce,
  RESERVED: signOp,
  SIGNED: watchOp,
  MINED: confirmOp,
}

/** Leases an op, unless another process has, and advances it as far as it can go now. */
export async function advanceOp(context: ChainOpContext, key: ChainOpKey): Promise<void> {
  const now = context.clock()
  const until = new Date(now.getTime() + leaseMs)
  const leased = await inTenantWrite(context, key.tenantId, (tx) => leaseOp(tx, key, now, until))
  const chain = leased && context.chains.get(leased.chain)
  if (!leased || !chain) return
  try {
    let op: ChainOp | undefined = leased
    while (op) op = await steps[op.state]?.(context, chain, op)
  } catch (error) {
    if (error instanceof ChainUnavailable) await wait(context, leased)
    throw error
  }
}
