import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { StatementRow } from './statement.sql.ts'

/** A statement that does not begin with the closing balance of its predecessor, and that predecessor. */
export interface FindingRow
  extends Pick<
    StatementRow,
    | 'id'
    | 'account'
    | 'currency'
    | 'sequence'
    | 'sequenceNumber'
    | 'openingBalance'
    | 'expectedOpeningBalance'
    | 'gapResolution'
  > {
  closesOn: string
  difference: string | null
  previousId: string | null
  previousSequence: string | null
  previousSequenceNumber: string | null
}

export interface FindingFilter {
  is_resolved?: 'true' | 'false' | undefined
}

function matching(tenantId: string, { is_resolved: isResolved }: FindingFilter): Sql {
  const resolved = isResolved === 'true' ? sql`is not null` : sql`is null`
  const all = sql`bank_statement.tenant_id = ${tenantId} and bank_statement.continuity = 'gap'`
  return isResolved === undefined ? all : sql`${all} and bank_statement.gap_resolution ${resolved}`
}

export function countFindings(tx: Transaction, tenantId: string, filter: FindingFilter): Promise<number> {
  return boundedCount(tx, sql`from cell.bank_statement where ${matching(tenantId, filter)}`)
}

export function selectFindings(
  tx: Transaction,
  tenantId: string,
  filter: FindingFilter,
  page: KeysetPage,
): Promise<FindingRow[]> {
  const { where, orderBy } = keysetCut(sql`bank_statement.id`, page)
  return tx.rows<FindingRow>(sql`
    select bank_statement.id, bank_statement.account, bank_statement.currency, bank_statement.sequence,
           bank_statement.sequence_number::text as "sequenceNumber", bank_statement.closes_on as "closesOn",
           bank_statement.opening_balance::text as "openingBalance",
           bank_statement.expected_opening_balance::text as "expectedOpeningBalance",
           (bank_statement.opening_balance - bank_statement.expected_opening_balance)::text as difference,
           bank_statement.gap_resolution as "gapResolution", previous.id as "previousId",
           previous.sequence as "previousSequence", previous.sequence_number::text as "previousSequenceNumber"
    from cell.bank_statement
    left join lateral (
      select other.id, other.sequence, other.sequence_number from cell.bank_statement other
      where other.tenant_id = ${tenantId} and other.account = bank_statement.account
        and other.currency = bank_statement.currency and not other.waits_for_booking and other.discarded_at is null
        and not (other.entry_count = 0 and other.duplicate_count > 0)
        and (other.closes_on, other.sequence_number) < (bank_statement.closes_on, bank_statement.sequence_number)
      order by other.closes_on desc, other.sequence_number desc limit 1) previous on true
    where ${matching(tenantId, filter)} and ${where} ${orderBy}`)
}
