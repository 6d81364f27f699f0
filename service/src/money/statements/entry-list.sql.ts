import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type EntryRow, type EntryState, entryColumns } from './entry.sql.ts'

export interface AllEntriesFilter {
  state?: EntryState | undefined
  booked_from?: string | undefined
  booked_to?: string | undefined
  amount_min?: string | undefined
  amount_max?: string | undefined
}

export type EntryOfStatementRow = EntryRow & { statementId: string; currency: string; sortKey: string | null }

/** Contains only the given filters, so that PostgreSQL can choose the index of each. */
function matching(tenantId: string, filter: AllEntriesFilter): Sql {
  const { state, booked_from: from, booked_to: to, amount_min: min, amount_max: max } = filter
  return [
    sql`bank_entry.tenant_id = ${tenantId}`,
    ...(state === undefined ? [] : [sql`bank_entry.state = ${state}`]),
    ...(from === undefined ? [] : [sql`bank_entry.booked_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`bank_entry.booked_on <= ${to}::date`]),
    ...(min === undefined ? [] : [sql`bank_entry.amount >= ${min}::numeric`]),
    ...(max === undefined ? [] : [sql`bank_entry.amount <= ${max}::numeric`]),
  ].reduce((all, one) => sql`${all} and ${one}`)
}

export function countAllEntries(tx: Transaction, tenantId: string, filter: AllEntriesFilter): Promise<number> {
  return boundedCount(tx, sql`from cell.bank_entry where ${matching(tenantId, filter)}`)
}

export function selectAllEntries(
  tx: Transaction,
  tenantId: string,
  filter: AllEntriesFilter,
  page: KeysetPage,
): Promise<EntryOfStatementRow[]> {
  const { column, where, orderBy } = keysetCut(sql`bank_entry.id`, page, {
    booked_on: { column: sql`bank_entry.booked_on`, type: 'date' },
  })
  return tx.rows<EntryOfStatementRow>(sql`
    select ${entryColumns}, bank_entry.statement_id as "statementId", ${column},
           (select bank_statement.currency from cell.bank_statement
            where bank_statement.tenant_id = ${tenantId} and bank_statement.id = bank_entry.statement_id) as currency
    from cell.bank_entry where ${matching(tenantId, filter)} and ${where} ${orderBy}`)
}
