import type { Logger } from '../../platform/base/log.ts'
import type { TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvents } from '../../records/events/event.sql.ts'
import { indexTerms, type SubjectTerms } from '../../records/search/search-term.sql.ts'
import { wholeTerm } from '../../records/search/search-terms.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { claimLogs, deleteLogs, insertLogs, type LogOwner, type TokenLog } from '../logs/token-log.sql.ts'
import { enqueueExtracts } from '../register/enqueue-extracts.ts'
import { matchTransfers, settleTransfers } from '../transfers/settle-transfers.ts'
import { reopenTransfers } from '../transfers/transfer-step.sql.ts'
import { applyToRegister } from './apply-to-register.ts'
import { applyToBalances } from './balance.sql.ts'
import { type IndexerCursor, lockIndexerCursor } from './cursor.sql.ts'
import { type MarkedMints, markOrdersMinted, noMints, reportMints } from './mark-orders-minted.ts'
import {
  type ChangedTransaction,
  confirmTransactions,
  deleteOrphanedTransactions,
  insertTransactions,
} from './pending-transaction.sql.ts'

export interface ApplyContext extends TenantDatabases {
  readonly log: Logger
  /** Undefined outside an indexer. */
  readonly cell?: string | undefined
}

interface Writer {
  readonly cursor: IndexerCursor
  readonly tenantId: string
}

/** One transaction of this size takes well under a second, and the arrays of its statements stay small. */
const logsMax = 2_000

/** Inserts logs of an unfinalized block, with their pending transactions. Skips logs that exist. */
export async function insertUnfinalizedLogs(
  context: ApplyContext,
  { logs, ...writer }: Writer & { logs: readonly TokenLog[] },
): Promise<void> {
  for (const batch of batchesOf(logs))
    await underCursor(context, writer, async (tx, owner) => {
      const inserted = await insertLogs(tx, owner, batch, false)
      await insertTransfers(tx, owner, inserted, 'pending')
      await matchTransfers(tx, owner, inserted)
    })
}

/** Inserts and applies logs of finalized blocks that were not read before. Skips logs that exist. */
export async function applyFinalizedLogs(
  context: ApplyContext,
  { logs, ...writer }: Writer & { logs: readonly TokenLog[] },
): Promise<void> {
  for (const batch of batchesOf(logs)) {
    const mints = await underCursor(context, writer, async (tx, owner) => {
      const inserted = await insertLogs(tx, owner, batch, true)
      return applyLogs(tx, owner, inserted, () => insertTransfers(tx, owner, inserted, 'confirmed'))
    })
    reportMints(context, ownerOf(writer), mints)
  }
}

interface FinalizedBlocks extends Writer {
  readonly finalized: readonly string[]
  readonly orphaned: readonly string[]
}

/** Applies the logs of finalized blocks, and deletes the logs and pending transactions of orphaned ones. */
export async function finalizeBlocks(
  context: ApplyContext,
  { finalized, orphaned, ...writer }: FinalizedBlocks,
): Promise<void> {
  const mints = await underCursor(context, writer, async (tx, owner) => {
    const marked = finalized.length > 0 ? await applyBlocks(tx, owner, finalized) : noMints
    if (orphaned.length > 0) {
      await deleteOrphanedTransactions(tx, owner, orphaned)
      await deleteLogs(tx, owner, orphaned)
      await reopenTransfers(tx, owner, orphaned)
    }
    return marked
  })
  reportMints(context, ownerOf(writer), mints)
}

/** Makes transfers READY again that these orphaned blocks had made SENT. `finalizeBlocks` deletes their logs later. */
export async function reopenOrphanedTransfers(
  context: ApplyContext,
  { orphaned, ...writer }: Omit<FinalizedBlocks, 'finalized'>,
): Promise<void> {
  await underCursor(context, writer, (tx, owner) => reopenTransfers(tx, owner, orphaned))
}

async function applyBlocks(tx: Transaction, owner: LogOwner, blockHashes: readonly string[]): Promise<MarkedMints> {
  const logs = await claimLogs(tx, owner, blockHashes)
  let confirmed: ChangedTransaction[] = []
  const mints = await applyLogs(tx, owner, logs, async () => {
    confirmed = await confirmTransactions(tx, owner, blockHashes)
  })
  await recordTransactionEvents(tx, owner, confirmed)
  return mints
}

/** Applies finalized logs. `confirm` makes their transactions `confirmed`. */
async function applyLogs(
  tx: Transaction,
  owner: LogOwner,
  logs: readonly TokenLog[],
  confirm: () => Promise<void>,
): Promise<MarkedMints> {
  // Locks orders and their offering before accounts, the order in which all transactions lock these rows.
  const mints = await markOrdersMinted(tx, owner, logs)
  await applyToRegister(tx, owner, logs)
  await confirm()
  await applyToBalances(tx, owner, logs)
  await settleTransfers(tx, owner, logs)
  await enqueueExtracts(tx, owner, logs)
  return mints
}

/** Writes as the process at this cursor. The cursor cannot move before the end of the transaction. */
function underCursor<Result>(
  context: ApplyContext,
  writer: Writer,
  work: (tx: Transaction, owner: LogOwner) => Promise<Result>,
): Promise<Result> {
  return inTenantWrite(context, writer.tenantId, async (tx) => {
    await lockIndexerCursor(tx, writer.tenantId, writer.cursor)
    return work(tx, ownerOf(writer))
  })
}

function ownerOf({ tenantId, cursor: { chain } }: Writer): LogOwner {
  return { tenantId, chain }
}

async function insertTransfers(
  tx: Transaction,
  owner: LogOwner,
  logs: readonly TokenLog[],
  status: 'pending' | 'confirmed',
): Promise<void> {
  const transfers = logs.filter(({ kind }) => kind === 'transfer')
  if (transfers.length === 0) return
  const transactions = await insertTransactions(tx, owner, transfers, status)
  await tx.batch(
    (tx) => recordTransactionEvents(tx, owner, transactions),
    (tx) => indexTerms(tx, owner.tenantId, transactions.map(transactionTerms)),
  )
}

export function transactionTerms({ id, hash }: Pick<ChangedTransaction, 'id' | 'hash'>): SubjectTerms {
  return { kind: 'transaction', subjectId: id, terms: wholeTerm(hash) }
}

/** Records events. A transaction that is finalized when first read has a `transaction.confirmed` event only. */
async function recordTransactionEvents(
  tx: Transaction,
  { tenantId, chain }: LogOwner,
  transactions: readonly ChangedTransaction[],
): Promise<void> {
  const events = transactions.map(({ id, accountId, walletId, offeringId, type, hash, units, status }) => ({
    type: status === 'pending' ? ('transaction.pending' as const) : ('transaction.confirmed' as const),
    data: {
      transaction_id: id,
      account_id: accountId,
      wallet_id: walletId,
      offering_id: offeringId,
      blockchain: chain,
      transaction_type: type,
      transaction_hash: hash,
      units,
      status,
    },
  }))
  await recordEvents(tx, tenantId, events)
}

/** Never splits a transaction of the chain: a mint's transfer and its OrderMinted log are applied together. */
function batchesOf(logs: readonly TokenLog[]): TokenLog[][] {
  const batches: TokenLog[][] = []
  let batch: TokenLog[] = []
  for (const log of logs) {
    if (batch.length >= logsMax && batch.at(-1)?.transactionHash !== log.transactionHash) {
      batches.push(batch)
      batch = []
    }
    batch.push(log)
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
