import type { Logger } from '../../platform/base/log.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvents } from '../../records/events/event.sql.ts'
import { indexTerms, type SubjectTerms } from '../../records/search/search-term.sql.ts'
import { wholeTerm } from '../../records/search/search-terms.ts'
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

/** One transaction of this size takes well under a second, and the arrays of its statements stay small. */
const logsMax = 2_000

/** Inserts logs of an unfinalized block, with their pending transactions. Skips logs that exist. */
export async function insertUnfinalizedLogs(
  context: ApplyContext,
  { cursor, tenantId, logs }: { cursor: IndexerCursor; tenantId: string; logs: readonly TokenLog[] },
): Promise<void> {
  for (const batch of batchesOf(logs))
    await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      await lockIndexerCursor(tx, tenantId, cursor)
      const owner = { tenantId, chain: cursor.chain }
      const inserted = await insertLogs(tx, owner, batch, false)
      await insertTransfers(tx, owner, inserted, 'pending')
      await matchTransfers(tx, owner, inserted)
    })
}

/** Inserts and applies logs of finalized blocks that were not read before. Skips logs that exist. */
export async function applyFinalizedLogs(
  context: ApplyContext,
  { cursor, tenantId, logs }: { cursor: IndexerCursor; tenantId: string; logs: readonly TokenLog[] },
): Promise<void> {
  for (const batch of batchesOf(logs)) {
    const mints = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      await lockIndexerCursor(tx, tenantId, cursor)
      const owner = { tenantId, chain: cursor.chain }
      const inserted = await insertLogs(tx, owner, batch, true)
      // Locks orders and their offering before accounts, the order in which all transactions lock these rows.
      const marked = await markOrdersMinted(tx, owner, inserted)
      await applyToRegister(tx, owner, inserted)
      await insertTransfers(tx, owner, inserted, 'confirmed')
      await applyToBalances(tx, owner, inserted)
      await settleTransfers(tx, owner, inserted)
      await enqueueExtracts(tx, owner, inserted)
      return marked
    })
    reportMints(context, { tenantId, chain: cursor.chain }, mints)
  }
}

interface FinalizedBlocks {
  readonly cursor: IndexerCursor
  readonly tenantId: string
  readonly finalized: readonly string[]
  readonly orphaned: readonly string[]
}

/** Applies the logs of finalized blocks, and deletes the logs and pending transactions of orphaned ones. */
export async function finalizeBlocks(
  context: ApplyContext,
  { cursor, tenantId, finalized, orphaned }: FinalizedBlocks,
): Promise<void> {
  const mints = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    await lockIndexerCursor(tx, tenantId, cursor)
    const owner = { tenantId, chain: cursor.chain }
    const marked = finalized.length > 0 ? await applyBlocks(tx, owner, finalized) : noMints
    if (orphaned.length > 0) {
      await deleteOrphanedTransactions(tx, owner, orphaned)
      await deleteLogs(tx, owner, orphaned)
      await reopenTransfers(tx, owner, orphaned)
    }
    return marked
  })
  reportMints(context, { tenantId, chain: cursor.chain }, mints)
}

/** Makes transfers READY again that these orphaned blocks had made SENT. `finalizeBlocks` deletes their logs later. */
export async function reopenOrphanedTransfers(
  context: ApplyContext,
  { cursor, tenantId, orphaned }: Omit<FinalizedBlocks, 'finalized'>,
): Promise<void> {
  await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    await lockIndexerCursor(tx, tenantId, cursor)
    await reopenTransfers(tx, { tenantId, chain: cursor.chain }, orphaned)
  })
}

async function applyBlocks(tx: Transaction, owner: LogOwner, blockHashes: readonly string[]): Promise<MarkedMints> {
  const logs = await claimLogs(tx, owner, blockHashes)
  const mints = await markOrdersMinted(tx, owner, logs)
  await applyToRegister(tx, owner, logs)
  const confirmed = await confirmTransactions(tx, owner, blockHashes)
  await applyToBalances(tx, owner, logs)
  await settleTransfers(tx, owner, logs)
  await enqueueExtracts(tx, owner, logs)
  await recordTransactionEvents(tx, owner, confirmed)
  return mints
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
