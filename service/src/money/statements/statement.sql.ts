import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface StatementKey {
  tenantId: string
  statementId: string
}

export interface StatementRow {
  id: string
  account: string
  currency: string
  bank_id: string
  sequence: string | null
  opening_balance: string | null
  closing_balance: string | null
  entries: number
  duplicates: number
  booked: number
  unassigned: number
  refunds_settled: number
  refunds_failed: number
  other: number
  attention: number
  handled: number
  created_at: Date
}

const columns = sql`
  id, account, currency, bank_id, sequence, opening_balance::text as opening_balance,
  closing_balance::text as closing_balance, entry_count as entries, duplicate_count as duplicates,
  booked_count as booked, unassigned_count as unassigned, refund_settled_count as refunds_settled,
  refund_failed_count as refunds_failed, other_count as other, attention_count as attention,
  handled_count as handled, created_at`

/**
 * One file of a tenant is read at a time: two at once would wait for each other's entries, statement by statement, and
 * longer than a statement may take. False where another one is being read.
 */
export async function tryHoldImport(tx: Transaction, tenantId: string): Promise<boolean> {
  const held = await tx.row<{ isHeld: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`statement import ${tenantId}`}, 0)) as "isHeld"`)
  return held?.isHeld === true
}

/** The statements that came in this very file. */
export function listStatementsOfFile(tx: Transaction, tenantId: string, fileHash: Buffer): Promise<StatementRow[]> {
  return tx.rows<StatementRow>(sql`
    select ${columns} from cell.bank_statement
    where tenant_id = ${tenantId} and file_hash = ${fileHash}
    order by id limit 1000`)
}

/** The accounts that buyers pay to. An order has that of its offering, whose terms no longer change once it is open. */
export function listCollectionAccounts(
  tx: Transaction,
  tenantId: string,
): Promise<{ account: string; currency: string }[]> {
  return tx.rows(sql`
    select distinct upper(regexp_replace(collection_account ->> 'iban', '\\s', '', 'g')) as account,
           collection_account ->> 'currency' as currency
    from cell.offering where tenant_id = ${tenantId} and collection_account is not null`)
}

export interface NewStatement extends StatementKey {
  fileHash: Buffer
  account: string
  currency: string
  bankId: string
  sequence: string | null
}

export async function insertStatement(tx: Transaction, statement: NewStatement): Promise<void> {
  await tx.rows(sql`
    insert into cell.bank_statement (tenant_id, id, file_hash, account, currency, bank_id, sequence)
    values (${statement.tenantId}, ${statement.statementId}, ${statement.fileHash}, ${statement.account},
            ${statement.currency}, ${statement.bankId}, ${statement.sequence})`)
}

/** What is known of a statement once it was read to its end. */
export async function completeStatement(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  { opening, closing, entries, duplicates }: { opening: string; closing: string; entries: number; duplicates: number },
): Promise<StatementRow> {
  const row = await tx.row<StatementRow>(sql`
    update cell.bank_statement
    set opening_balance = ${opening}, closing_balance = ${closing}, entry_count = ${entries},
        duplicate_count = ${duplicates}
    where tenant_id = ${tenantId} and id = ${statementId}
    returning ${columns}`)
  if (!row) throw new Error('a statement is gone while it is read')
  return row
}

/** How many more of its entries are where. */
export async function countMatched(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  count: Readonly<Record<'booked' | 'unassigned' | 'refund_settled' | 'refund_failed' | 'other' | 'attention', number>>,
): Promise<void> {
  await tx.rows(sql`
    update cell.bank_statement
    set booked_count = booked_count + ${count.booked}::int,
        unassigned_count = unassigned_count + ${count.unassigned}::int,
        refund_settled_count = refund_settled_count + ${count.refund_settled}::int,
        refund_failed_count = refund_failed_count + ${count.refund_failed}::int,
        other_count = other_count + ${count.other}::int, attention_count = attention_count + ${count.attention}::int
    where tenant_id = ${tenantId} and id = ${statementId}`)
}

/** One that wanted attention has been dealt with. */
export async function countHandled(tx: Transaction, { tenantId, statementId }: StatementKey): Promise<void> {
  await tx.rows(sql`
    update cell.bank_statement set attention_count = attention_count - 1, handled_count = handled_count + 1
    where tenant_id = ${tenantId} and id = ${statementId}`)
}

export function findStatement(tx: Transaction, { tenantId, statementId }: StatementKey) {
  return tx.row<StatementRow>(sql`
    select ${columns} from cell.bank_statement where tenant_id = ${tenantId} and id = ${statementId}`)
}

export interface StatementSelection {
  attention?: 'true' | 'false' | undefined
}

function matching(tenantId: string, { attention }: StatementSelection) {
  return sql`
    tenant_id = ${tenantId}
    and (${attention ?? null}::boolean is null or (attention_count > 0) = ${attention ?? null}::boolean)`
}

export async function countStatements(tx: Transaction, tenantId: string, filter: StatementSelection): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.bank_statement where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectStatements(
  tx: Transaction,
  tenantId: string,
  filter: StatementSelection,
  page: Page,
): Promise<StatementRow[]> {
  return tx.rows<StatementRow>(sql`
    select ${columns} from cell.bank_statement where ${matching(tenantId, filter)} ${filteredCut(sql`id`, page)}`)
}
