import type { Logger } from '../../platform/base/log.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvents } from '../../records/events/event.sql.ts'
import { applyToBalances } from './balance.sql.ts'
import { type Cursor, lockIndexerCursor } from './cursor.sql.ts'
import { type MintAlarm, mintOrders, tellAlarms } from './mint-orders.ts'
import {
  confirmTransactions,
  insertTransactions,
  removeTransactions,
  type ShownTransaction,
} from './pending-transaction.sql.ts'
import { claimLogs, deleteLogs, insertLogs, type LogOwner, type TokenLog } from './token-log.sql.ts'

export interface ApplyContext extends TenantDatabases {
  readonly log: Logger
}

// One transaction takes well under a second with these many, and the statements' arrays stay small.
const logsMax = 2_000

/** Shows logs of a block that may still vanish. Those that are known already are left alone. */
export async function showLogs(
  context: ApplyContext,
  { cursor, tenantId, logs }: { cursor: Cursor; tenantId: string; logs: readonly TokenLog[] },
): Promise<void> {
  for (const batch of batchesOf(logs))
    await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      await lockIndexerCursor(tx, tenantId, cursor)
      const owner = { tenantId, chain: cursor.chain }
      const fresh = await insertLogs(tx, owner, batch, false)
      await showTransfers(tx, owner, fresh, 'pending')
    })
}

/** Applies logs of final blocks. They need not have been shown before, as when history is read. */
export async function settleLogs(
  context: ApplyContext,
  { cursor, tenantId, logs }: { cursor: Cursor; tenantId: string; logs: readonly TokenLog[] },
): Promise<void> {
  for (const batch of batchesOf(logs)) {
    const alarms = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      await lockIndexerCursor(tx, tenantId, cursor)
      const owner = { tenantId, chain: cursor.chain }
      const fresh = await insertLogs(tx, owner, batch, true)
      // Orders and their offering before accounts: everybody else takes their rows in this order too.
      const raised = await mintOrders(tx, owner, fresh)
      await showTransfers(tx, owner, fresh, 'confirmed')
      await applyToBalances(tx, owner, fresh)
      return raised
    })
    tellAlarms(context.log, { tenantId, chain: cursor.chain }, alarms)
  }
}

/** Applies what was shown of blocks that are final now, and takes back what was shown of those that are gone. */
export async function settleBlocks(
  context: ApplyContext,
  { cursor, tenantId, final, gone }: { cursor: Cursor; tenantId: string; final: string[]; gone: string[] },
): Promise<void> {
  const alarms = await inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    await lockIndexerCursor(tx, tenantId, cursor)
    const owner = { tenantId, chain: cursor.chain }
    const raised = final.length > 0 ? await settleShown(tx, owner, final) : []
    if (gone.length > 0) {
      await removeTransactions(tx, owner, gone)
      await deleteLogs(tx, owner, gone)
    }
    return raised
  })
  tellAlarms(context.log, { tenantId, chain: cursor.chain }, alarms)
}

async function settleShown(tx: Transaction, owner: LogOwner, blockHashes: string[]): Promise<MintAlarm[]> {
  const logs = await claimLogs(tx, owner, blockHashes)
  const alarms = await mintOrders(tx, owner, logs)
  const confirmed = await confirmTransactions(tx, owner, blockHashes)
  await applyToBalances(tx, owner, logs)
  await tell(tx, owner, confirmed)
  return alarms
}

async function showTransfers(
  tx: Transaction,
  owner: LogOwner,
  logs: readonly TokenLog[],
  status: 'pending' | 'confirmed',
): Promise<void> {
  const transfers = logs.filter(({ kind }) => kind === 'transfer')
  if (transfers.length === 0) return
  await tell(tx, owner, await insertTransactions(tx, owner, transfers, status))
}

/** What was final when it was first seen is told once, as confirmed. */
async function tell(tx: Transaction, { tenantId, chain }: LogOwner, shown: readonly ShownTransaction[]): Promise<void> {
  const events = shown.map((one) => ({
    type: one.status === 'pending' ? ('transaction.pending' as const) : ('transaction.confirmed' as const),
    data: {
      transaction_id: one.id,
      account_id: one.accountId,
      wallet_id: one.walletId,
      offering_id: one.offeringId,
      blockchain: chain,
      transaction_type: one.type,
      transaction_hash: one.hash,
      units: one.units,
      status: one.status,
    },
  }))
  await recordEvents(tx, tenantId, events)
}

/** Cut between two transactions of the chain: a mint and the order that it is for are applied together. */
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
