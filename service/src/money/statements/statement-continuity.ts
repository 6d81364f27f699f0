import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { StatementRow } from './statement.sql.ts'
import { selectStatementsAt, selectStatementsBeside, setContinuity } from './statement-continuity.sql.ts'

type Balances = Pick<StatementRow, 'id' | 'openingBalance' | 'closingBalance'>
type Continuity = Pick<StatementRow, 'continuity' | 'expectedOpeningBalance'>

/**
 * Compares the balances of an imported statement with those of its neighbours: each statement of an account must begin
 * with the closing balance of the one before it. Files may arrive in any order, so the statement after it is compared
 * again: importing a missing statement closes the gap. A statement that waits for booking is compared with all others
 * and changes none of them; booking it compares again. The caller has the tenant's import lock.
 */
export async function checkContinuity(tx: Transaction, tenantId: string, statement: StatementRow): Promise<void> {
  if (statement.entryCount === 0 && statement.duplicateCount > 0) {
    const key = { tenantId, statementId: statement.id }
    return setContinuity(tx, key, { continuity: 'ok', expectedOpeningBalance: null })
  }
  const { account, currency, closesOn, sequenceNumber, waitsForBooking } = statement
  const slot = { tenantId, account, currency, closesOn, sequenceNumber, waitsForBooking }
  const [before, here, after] = await tx.batch(
    (tx) => selectStatementsBeside(tx, slot, 'before'),
    (tx) => selectStatementsAt(tx, slot),
    (tx) => selectStatementsBeside(tx, slot, 'after'),
  )
  const all = [...continuitiesOf(here, before), ...continuitiesOf(after, here)]
  const found = waitsForBooking ? all.filter(([statementId]) => statementId === statement.id) : all
  await tx.each(found, (tx, [statementId, continuity]) => setContinuity(tx, { tenantId, statementId }, continuity))
}

/**
 * Returns the continuity of the statements in one slot, given those in the slot before it. If a bank does not number
 * the statements of a day, their balances put them in order.
 */
export function continuitiesOf(here: readonly Balances[], before: readonly Balances[]): [string, Continuity][] {
  const isContinued = (one: Balances) =>
    before.some(({ closingBalance }) => closingBalance === one.openingBalance) ||
    // A statement that ends with the balance it begins with moved nothing, so it explains nothing.
    here.some(
      ({ openingBalance, closingBalance }) =>
        closingBalance === one.openingBalance && openingBalance !== one.openingBalance,
    )
  const first = before.length === 0 ? here.find((one) => !isContinued(one)) : undefined
  const expected = (before.at(-1) ?? first)?.closingBalance ?? null
  return here.map((one) => {
    if (one === first) return [one.id, { continuity: 'first', expectedOpeningBalance: null }]
    return isContinued(one) || one.openingBalance === expected
      ? [one.id, { continuity: 'ok', expectedOpeningBalance: null }]
      : [one.id, { continuity: 'gap', expectedOpeningBalance: expected }]
  })
}
