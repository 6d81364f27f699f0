import { type ChainContext, inTenantRead, inTenantWrite } from '../chain/chain-context.ts'
import { type ChainSigner, findSigner } from '../signers/signer.sql.ts'
import type { Signers } from '../signers/signers.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { postponeOp } from './chain-op-engine.sql.ts'
import type { ChainOpHandlers } from './chain-op-handler.ts'

/** Context in which the engine advances chain ops. */
export interface ChainOpContext extends ChainContext {
  readonly signers: Signers
  readonly handlers: ChainOpHandlers
  /** Time that a transaction may stay out of blocks before its fee is raised. */
  readonly bumpAfterMs: number
  /** The highest fee per gas that is signed, in wei. */
  readonly feeMax: bigint
}

export async function requireSigner(context: ChainOpContext, op: ChainOp): Promise<ChainSigner> {
  const { tenantId } = op
  const signer = await inTenantRead(context, tenantId, (tx) => findSigner(tx, op))
  if (!signer) throw new Error('a chain op has no signer')
  return signer
}

/** Pause between two checks of an op that waits for a block, for finality or for another op. */
const waitMs = 1_000

/** Shorter pause for an op that others wait for, while it may be in the next block. */
const awaitedMs = 250
/** Blocks of most chains are at most this far apart. */
const nextBlockMs = 12_000

/**
 * Returns the time of the next check of a waiting op. `sentAt` is when its transaction was sent, if it is in no block.
 */
export function nextCheckAt({ clock, handlers }: ChainOpContext, op: ChainOp, sentAt?: Date): Date {
  const now = clock().getTime()
  const isSoon = sentAt && handlers[op.kind].isAwaited && now - sentAt.getTime() < nextBlockMs
  return new Date(now + (isSoon ? awaitedMs : waitMs))
}

/** Ends the lease: any worker may check the op again after the wait. */
export async function wait(context: ChainOpContext, op: ChainOp, sentAt?: Date): Promise<undefined> {
  await inTenantWrite(context, op.tenantId, (tx) => postponeOp(tx, op, nextCheckAt(context, op, sentAt)))
}
