import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { type StatementKey, type StatementRow, statementColumns } from './statement.sql.ts'

/**
 * Version of a statement: the row has the file's hash, and its counts change when a later import takes entries over.
 */
export const statementFingerprint = rowFingerprint(sql`cell.bank_statement`)

/** The entries that booking a statement takes into account. */
export interface PendingSums {
  credits: Money
  debits: Money
  /** Credits and debits. */
  total: Money
  currency: string
  /** True if one of them settles or returns a transfer, or takes a payment back. */
  concernsTransfers: boolean
}

export async function sumPendingEntries(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
): Promise<PendingSums | undefined> {
  const sums = await tx.row<PendingSums>(sql`
    select bank_statement.currency, coalesce(pending.credits, 0)::text as credits,
           coalesce(pending.total - pending.credits, 0)::text as debits, coalesce(pending.total, 0)::text as total,
           coalesce(pending.concerns_transfers, false) as "concernsTransfers"
    from cell.bank_statement
    cross join lateral (
      select coalesce(sum(amount) filter (where is_credit), 0) as credits, sum(amount) as total,
             bool_or(concerns_transfer is not false) as concerns_transfers
      from cell.bank_entry
      where bank_entry.tenant_id = bank_statement.tenant_id and bank_entry.statement_id = bank_statement.id
        and bank_entry.state = 'pending') pending
    where tenant_id = ${tenantId} and id = ${statementId}`)
  return readMoney('credits', 'debits', 'total')(sums)
}

/** The caller has locked the statement. */
export async function setStatementBooked(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
): Promise<StatementRow> {
  const [booked] = await tx.batch(
    (tx) =>
      tx.row<StatementRow>(sql`
      update cell.bank_statement set waits_for_booking = false
      where tenant_id = ${tenantId} and id = ${statementId} and waits_for_booking
      returning ${statementColumns}`),
    (tx) => recordEvent(tx, tenantId, { type: 'statement.booked', data: { statement_id: statementId } }),
  )
  if (!booked) throw new Error('a locked statement changed')
  return booked
}

/** Returns true if statements of other files wait for booking. */
export async function hasWaitingStatements(tx: Transaction, tenantId: string, fileHash: Buffer): Promise<boolean> {
  const found = await tx.row<{ isFound: boolean }>(sql`
    select exists (select from cell.bank_statement
                   where tenant_id = ${tenantId} and waits_for_booking and file_hash <> ${fileHash}) as "isFound"`)
  return found?.isFound === true
}

/**
 * Removes entries from statements of other files that wait for booking, because the file that is imported now contains
 * them too: a statement that is never booked must not keep its entries out of others as duplicates. The statements are
 * locked first, so that none is booked meanwhile.
 */
export async function removeWaitingEntries(
  tx: Transaction,
  tenantId: string,
  { fileHash, fingerprints }: { fileHash: Buffer; fingerprints: readonly string[] },
): Promise<void> {
  const waiting = await tx.rows<{ id: string }>(sql`
    select id from cell.bank_statement
    where tenant_id = ${tenantId} and waits_for_booking and file_hash <> ${fileHash} and id in (
      select statement_id from cell.bank_entry
      where tenant_id = ${tenantId} and fingerprint = any (${fingerprints}::text[]))
    order by id for update`)
  if (waiting.length === 0) return
  await tx.rows(sql`
    with removed as (
      delete from cell.bank_entry
      where tenant_id = ${tenantId} and fingerprint = any (${fingerprints}::text[])
        and statement_id = any (${waiting.map(({ id }) => id)}::uuid[])
      returning statement_id
    ), counted as (
      select statement_id, count(*)::int as count from removed group by statement_id
    )
    update cell.bank_statement
    set entry_count = entry_count - counted.count, duplicate_count = duplicate_count + counted.count,
        waits_for_booking = entry_count > counted.count
    from counted where tenant_id = ${tenantId} and id = counted.statement_id`)
}

/**
 * Removes the entries, so that another import can add them. The caller has locked the statement. The time is the
 * database's, because it is compared with the times of imports.
 */
export async function discardLockedStatement(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  reason: string,
): Promise<StatementRow> {
  await tx.rows(sql`
    delete from cell.bank_entry where tenant_id = ${tenantId} and statement_id = ${statementId} and state = 'pending'`)
  const discarded = await tx.row<StatementRow>(sql`
    update cell.bank_statement
    set waits_for_booking = false, entry_count = 0, discarded_at = clock_timestamp(), discard_reason = ${reason},
        continuity = 'first', expected_opening_balance = null, gap_resolution = null
    where tenant_id = ${tenantId} and id = ${statementId} and waits_for_booking
    returning ${statementColumns}`)
  if (!discarded) throw new Error('a locked statement changed')
  return discarded
}
