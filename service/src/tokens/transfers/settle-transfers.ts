import type { Transaction } from '../../platform/db/transaction.ts'
import type { LogOwner, TokenLog } from '../indexer/token-log.sql.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import { insertUnrequested, movesOf, setTransfersDone, setTransfersSent } from './transfer-step.sql.ts'

/** Marks the requests that these logs of an unfinalized block fulfil. */
export async function matchTransfers(tx: Transaction, owner: LogOwner, logs: readonly TokenLog[]): Promise<void> {
  const moves = movesOf(logs)
  if (moves.length > 0) await setTransfersSent(tx, owner, moves)
}

/**
 * Closes the requests of logs that are applied in this transaction, so exactly once, and records transfers without a
 * request for operators to judge.
 */
export async function settleTransfers(tx: Transaction, owner: LogOwner, logs: readonly TokenLog[]): Promise<void> {
  const moves = movesOf(logs)
  if (moves.length === 0) return
  // Logs that were first read from a finalized block, and requests that became READY since.
  await setTransfersSent(tx, owner, moves)
  const done = await setTransfersDone(tx, owner, moves)
  await recordTransferEvents(tx, owner.tenantId, 'transfer.completed', done)
  await insertUnrequested(tx, owner, moves)
}
