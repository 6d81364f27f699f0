import {
  allOf,
  type CreatedRange,
  countedPage,
  isCreatedWithin,
  isEqual,
} from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import type { Money } from '../../platform/base/money.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { continuities } from './statement.schema.ts'

export interface StatementKey {
  tenantId: string
  statementId: string
}

export interface StatementRow {
  id: string
  fileHash: Buffer
  account: string
  currency: string
  bankId: string
  sequence: string | null
  /** Null until the whole statement is imported. */
  openingBalance: string | null
  closingBalance: string | null
  /** The day of the closing balance. */
  closesOn: string | null
  /** The bank's sequence number; 0 if it is missing or not a number. */
  sequenceNumber: string
  continuity: (typeof continuities)[number] | null
  /** The closing balance of the statement before it, if there is a gap between them. */
  expectedOpeningBalance: string | null
  gapResolution: string | null
  /** True if a person imported it: its entries have no effect until a second person agrees. */
  waitsForBooking: boolean
  discardedAt: Date | null
  discardReason: string | null
  entryCount: number
  duplicateCount: number
  bookedCount: number
  unassignedCount: number
  refundSettledCount: number
  refundFailedCount: number
  paymentReversedCount: number
  otherCount: number
  needsAttentionCount: number
  resolvedCount: number
  createdAt: Date
}

export const statementColumns = sql`
  id, file_hash as "fileHash", account, currency, bank_id as "bankId", sequence,
  opening_balance::text as "openingBalance", closing_balance::text as "closingBalance",
  closes_on as "closesOn", sequence_number::text as "sequenceNumber", continuity,
  expected_opening_balance::text as "expectedOpeningBalance", gap_resolution as "gapResolution",
  waits_for_booking as "waitsForBooking", discarded_at as "discardedAt", discard_reason as "discardReason",
  entry_count as "entryCount", duplicate_count as "duplicateCount", booked_count as "bookedCount",
  unassigned_count as "unassignedCount", refund_settled_count as "refundSettledCount",
  refund_failed_count as "refundFailedCount", payment_reversed_count as "paymentReversedCount",
  other_count as "otherCount",
  needs_attention_count as "needsAttentionCount", resolved_count as "resolvedCount", created_at as "createdAt"`

/**
 * Allows one import per tenant at a time: two concurrent imports would wait for each other's entries row by row, longer
 * than the statement timeout. Returns false if another import has the lock.
 */
export async function tryLockStatementImport(tx: Transaction, tenantId: string): Promise<boolean> {
  const result = await tx.row<{ isLocked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`statement import ${tenantId}`}, 0)) as "isLocked"`)
  return result?.isLocked === true
}

/**
 * Selects the statements of the last import of the file with this hash. Returns none if entries of the file may have
 * been removed since, so that it must be imported again: one of its statements was discarded, or a statement of the
 * same account that may have taken entries over from it. A statement counts the entries that it lost as duplicates.
 * Imports and discards take the same lock, and the database sets both times, so they are in order.
 */
export function selectStatementsOfFile(tx: Transaction, tenantId: string, fileHash: Buffer): Promise<StatementRow[]> {
  return tx.rows<StatementRow>(sql`
    select ${statementColumns} from cell.bank_statement
    where tenant_id = ${tenantId} and file_hash = ${fileHash} and discarded_at is null
      and created_at > coalesce((
        select max(discarded.discarded_at) from cell.bank_statement discarded
        where discarded.tenant_id = ${tenantId} and discarded.discarded_at is not null
          and (discarded.file_hash = ${fileHash} or exists (
            select from cell.bank_statement earlier
            where earlier.tenant_id = ${tenantId} and earlier.file_hash = ${fileHash}
              and earlier.discarded_at is null and earlier.duplicate_count > 0
              and earlier.account = discarded.account and earlier.currency = discarded.currency
              and earlier.created_at < discarded.created_at))
      ), '-infinity')
    order by id limit 1000`)
}

/**
 * Selects the accounts that investors pay to, and those that approved distributions are paid from. Offerings are enough
 * for orders: an order copies the account of its offering, which cannot change once the offering is open.
 */
export function selectCollectionAccounts(tx: Transaction, tenantId: string) {
  return tx.rows<{ account: string; currency: string }>(sql`
    select distinct upper(regexp_replace(collection_account ->> 'iban', '\\s', '', 'g')) as account,
           collection_account ->> 'currency' as currency
    from cell.offering where tenant_id = ${tenantId} and collection_account is not null
    union
    select upper(regexp_replace(source_account ->> 'iban', '\\s', '', 'g')), currency
    from cell.distribution where tenant_id = ${tenantId} and status in ('APPROVED', 'PAYING', 'CLOSED')`)
}

export async function insertStatement(
  tx: Transaction,
  tenantId: string,
  statement: Pick<StatementRow, 'id' | 'fileHash' | 'account' | 'currency' | 'bankId' | 'sequence' | 'sequenceNumber'>,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.bank_statement (tenant_id, id, file_hash, account, currency, bank_id, sequence, sequence_number)
    values (${tenantId}, ${statement.id}, ${statement.fileHash}, ${statement.account}, ${statement.currency},
            ${statement.bankId}, ${statement.sequence}, ${statement.sequenceNumber})`)
}

/** Stores the balances and counts that are known at the end of the statement. */
export async function completeStatement(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  end: {
    openingBalance: Money
    closingBalance: Money
    closesOn: string | null
    waitsForBooking: boolean
    entryCount: number
    duplicateCount: number
  },
): Promise<StatementRow> {
  const row = await tx.row<StatementRow>(sql`
    update cell.bank_statement
    set opening_balance = ${end.openingBalance}, closing_balance = ${end.closingBalance},
        closes_on = coalesce(${end.closesOn}::date, current_date), waits_for_booking = ${end.waitsForBooking},
        entry_count = ${end.entryCount}, duplicate_count = ${end.duplicateCount}
    where tenant_id = ${tenantId} and id = ${statementId}
    returning ${statementColumns}`)
  if (!row) throw new Error('the statement that is being imported was not found')
  return row
}

/** Adds the results of a batch of entries to the statement's counts. */
export async function addToCounts(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  added: Readonly<
    Record<
      'booked' | 'unassigned' | 'refund_settled' | 'refund_failed' | 'payment_reversed' | 'other' | 'needs_attention',
      number
    >
  >,
): Promise<void> {
  await tx.rows(sql`
    update cell.bank_statement
    set booked_count = booked_count + ${added.booked}::int,
        unassigned_count = unassigned_count + ${added.unassigned}::int,
        refund_settled_count = refund_settled_count + ${added.refund_settled}::int,
        refund_failed_count = refund_failed_count + ${added.refund_failed}::int,
        payment_reversed_count = payment_reversed_count + ${added.payment_reversed}::int,
        other_count = other_count + ${added.other}::int,
        needs_attention_count = needs_attention_count + ${added.needs_attention}::int
    where tenant_id = ${tenantId} and id = ${statementId}`)
}

export async function countEntryAsResolved(tx: Transaction, { tenantId, statementId }: StatementKey): Promise<void> {
  await tx.rows(sql`
    update cell.bank_statement
    set needs_attention_count = needs_attention_count - 1, resolved_count = resolved_count + 1
    where tenant_id = ${tenantId} and id = ${statementId}`)
}

export function findStatement(tx: Transaction, { tenantId, statementId }: StatementKey) {
  return tx.row<StatementRow>(sql`
    select ${statementColumns} from cell.bank_statement where tenant_id = ${tenantId} and id = ${statementId}`)
}

/** Finds the oldest statement with pending entries that does not wait for booking and is not in `except`. */
export function findPendingStatement(tx: Transaction, tenantId: string, except: readonly string[]) {
  return tx.row<StatementRow>(sql`
    select ${statementColumns} from cell.bank_statement
    where tenant_id = ${tenantId} and id <> all (${except}::uuid[])
      and not waits_for_booking
      and booked_count + unassigned_count + refund_settled_count + refund_failed_count + other_count
            + payment_reversed_count + needs_attention_count + resolved_count < entry_count
    order by id limit 1`)
}

export interface StatementSelection extends CreatedRange {
  needs_attention?: 'true' | 'false' | undefined
  waits_for_booking?: 'true' | 'false' | undefined
  account?: string | undefined
}

function matching(tenantId: string, filter: StatementSelection): Sql {
  const { needs_attention: needsAttention, waits_for_booking: waits } = filter
  const itNeedsAttention = sql`(needs_attention_count > 0 or (continuity = 'gap' and gap_resolution is null))`
  return allOf([
    sql`tenant_id = ${tenantId}`,
    waits && (waits === 'true' ? sql`waits_for_booking` : sql`not waits_for_booking`),
    needsAttention && (needsAttention === 'true' ? itNeedsAttention : sql`${itNeedsAttention} is not true`),
    isEqual(sql`account`, filter.account),
    isCreatedWithin(sql`id`, sql`created_at`, filter),
  ])
}

export function pageOfStatements(tx: Transaction, tenantId: string, filter: StatementSelection, page: KeysetPage) {
  return countedPage<StatementRow>(tx, page, {
    columns: statementColumns,
    from: sql`cell.bank_statement`,
    where: matching(tenantId, filter),
    id: sql`id`,
  })
}
