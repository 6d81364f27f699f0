import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { LogOwner, TokenLog } from '../logs/token-log.sql.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import { insertUnrequested, movesOf, setTransfersDone, setTransfersSent } from './transfer-step.sql.ts'

/** Marks the requests that these logs of an unfinalized block fulfil. */
export async function matchTransfers(tx: Transaction, owner: LogOwner, logs: readonly TokenLog[]): Promise<void> {
  const moves = movesOf(logs)
  if (moves.length > 0) await setTransfersSent(tx, owner, moves)
}

/** Closes, exactly once, the requests of logs that this transaction applies, and records unrequested transfers. */
export async function settleTransfers(tx: Transaction, owner: LogOwner, logs: readonly TokenLog[]): Promise<void> {
  const moves = movesOf(logs)
  if (moves.length === 0) return
  // Some requests are not SENT yet: their log was first read from a finalized block, or they became READY after it was
  // read.
  await setTransfersSent(tx, owner, moves)
  const done = await setTransfersDone(tx, owner, moves)
  await recordTransferEvents(tx, owner.tenantId, 'transfer.completed', done)
  await insertUnrequested(tx, owner, moves)
}
