import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type ChainOp, lockChainOp } from './chain-op.sql.ts'
import type { ChainOpContext } from './chain-op-context.ts'
import { updateCall } from './chain-op-engine.sql.ts'

/** Returns true if the call of this kind is read again before it is sent. */
export function hasCurrentCall({ handlers }: ChainOpContext, op: ChainOp): boolean {
  return handlers[op.kind].currentCall !== undefined
}

/**
 * Reads the call of a QUEUED op again from the rows that it depends on. Returns undefined if nothing is left to do.
 * Locks the op first, like every transaction that locks both an op and its rows.
 */
export async function refreshCall(
  tx: Transaction,
  { handlers }: ChainOpContext,
  op: ChainOp,
): Promise<ChainOp | undefined> {
  const { currentCall } = handlers[op.kind]
  if (!currentCall) return op
  const locked = await lockChainOp(tx, { tenantId: op.tenantId, opId: op.id })
  // Another process reserved the op first and may have signed the call.
  if (locked?.state !== 'QUEUED') throw new Error('a chain op was reserved twice')
  const call = await currentCall(tx, op)
  if (!call) return undefined
  if (call.data !== locked.data) await updateCall(tx, op, call)
  return { ...op, ...call }
}
