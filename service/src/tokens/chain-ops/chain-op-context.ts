import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import { type ChainContext, inTenantWrite } from '../chain/chain-context.ts'
import { type ChainSigner, findSigner } from '../signers/signer.sql.ts'
import type { Signers } from '../signers/signers.ts'
import type { ChainOp } from './chain-op.sql.ts'
import { postponeOp } from './chain-op-engine.sql.ts'
import type { ChainOpHandlers } from './chain-op-handler.ts'

/** What the engine needs to advance chain ops. */
export interface ChainOpContext extends ChainContext {
  readonly signers: Signers
  readonly handlers: ChainOpHandlers
  /** How long a transaction may stay out of blocks before its fee is raised. */
  readonly bumpAfterMs: number
  /** The highest fee per gas that is signed, in wei. */
  readonly feeMax: bigint
}

export async function requireSigner(context: ChainOpContext, op: ChainOp): Promise<ChainSigner> {
  const { tenantId } = op
  const signer = await inTenantTransaction(context, { tenantId, access: 'read' }, (tx) => findSigner(tx, op))
  if (!signer) throw new Error('a chain op has no signer')
  return signer
}

/** Between two checks of an op that waits for a block, for finality or for another op. */
const waitMs = 1_000

/** When an op that has to wait is checked next. */
export function nextCheckAt({ clock }: ChainOpContext): Date {
  return new Date(clock().getTime() + waitMs)
}

/** Ends the lease: any worker may check the op again after the wait. */
export async function wait(context: ChainOpContext, op: ChainOp): Promise<undefined> {
  await inTenantWrite(context, op.tenantId, (tx) => postponeOp(tx, op, nextCheckAt(context)))
}
