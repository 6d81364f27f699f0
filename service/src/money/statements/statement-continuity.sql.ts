import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type StatementKey, type StatementRow, statementColumns } from './statement.sql.ts'

/** The slot of a statement among those of its account: the day of its closing balance, and the number of the bank. */
export type StatementSlot = { tenantId: string } & Pick<
  StatementRow,
  'account' | 'currency' | 'closesOn' | 'sequenceNumber' | 'waitsForBooking'
>

/** A statement whose entries are all known repeats others and says nothing about what is missing. */
const isRepeated = sql`entry_count = 0 and duplicate_count > 0`

/** Statements that wait for booking count only for others that wait: no second person has seen them. */
function ofAccount({ tenantId, account, currency, waitsForBooking }: StatementSlot) {
  return sql`
    (not waits_for_booking or ${waitsForBooking}::boolean) and
    tenant_id = ${tenantId} and account = ${account} and currency = ${currency} and not (${isRepeated})
    and closing_balance is not null and discarded_at is null`
}

/** Selects the statements in a slot, usually one. A bank that does not number statements may have several on a day. */
export function selectStatementsAt(tx: Transaction, slot: StatementSlot): Promise<StatementRow[]> {
  return tx.rows<StatementRow>(sql`
    select ${statementColumns} from cell.bank_statement
    where ${ofAccount(slot)} and closes_on = ${slot.closesOn}::date
      and sequence_number = ${slot.sequenceNumber}::bigint
    order by created_at, id limit 1000`)
}

/** Selects the statements in the slot before or after this one. */
export function selectStatementsBeside(
  tx: Transaction,
  slot: StatementSlot,
  side: 'before' | 'after',
): Promise<StatementRow[]> {
  const here = sql`(${slot.closesOn}::date, ${slot.sequenceNumber}::bigint)`
  const beside =
    side === 'before'
      ? sql`(closes_on, sequence_number) < ${here} order by closes_on desc, sequence_number desc`
      : sql`(closes_on, sequence_number) > ${here} order by closes_on, sequence_number`
  return tx.rows<StatementRow>(sql`
    select ${statementColumns} from cell.bank_statement
    where ${ofAccount(slot)} and (closes_on, sequence_number) = (
      select closes_on, sequence_number from cell.bank_statement where ${ofAccount(slot)} and ${beside} limit 1)
    order by created_at, id limit 1000`)
}

/** Stores the continuity. A resolution stays as long as the gap is the same. */
export async function setContinuity(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  { continuity, expectedOpeningBalance }: Pick<StatementRow, 'continuity' | 'expectedOpeningBalance'>,
): Promise<void> {
  await tx.rows(sql`
    update cell.bank_statement
    set continuity = ${continuity}, expected_opening_balance = ${expectedOpeningBalance},
        gap_resolution = case when expected_opening_balance = ${expectedOpeningBalance}::numeric then gap_resolution end
    where tenant_id = ${tenantId} and id = ${statementId}`)
}

export function lockStatement(tx: Transaction, { tenantId, statementId }: StatementKey) {
  return tx.row<StatementRow>(sql`
    select ${statementColumns} from cell.bank_statement
    where tenant_id = ${tenantId} and id = ${statementId} for update`)
}

/** The caller has locked the statement. */
export async function setGapResolved(
  tx: Transaction,
  { tenantId, statementId }: StatementKey,
  resolution: string,
): Promise<StatementRow> {
  const resolved = await tx.row<StatementRow>(sql`
    update cell.bank_statement set gap_resolution = ${resolution}
    where tenant_id = ${tenantId} and id = ${statementId} and continuity = 'gap'
    returning ${statementColumns}`)
  if (!resolved) throw new Error('a locked statement changed')
  return resolved
}
