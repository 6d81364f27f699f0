import type { Sql } from '../../../src/platform/postgres/sql.ts'
import type { Transaction } from '../../../src/platform/postgres/transaction.ts'

/** Returns a transaction that sends nothing: `rows` gets each statement and decides the result. */
export function recordingTransaction(
  rows: (statement: Sql) => unknown,
  row: (statement: Sql) => unknown = rows,
): Transaction {
  const tx = {
    rows: async (statement: Sql) => rows(statement),
    rawRows: async (statement: Sql) => rows(statement),
    row: async (statement: Sql) => row(statement),
    later: () => {},
    batch: (...parts: ((own: Transaction) => unknown)[]) => Promise.all(parts.map((part) => part(tx))),
    each: (items: unknown[], part: (own: Transaction, item: unknown, index: number) => unknown) =>
      Promise.all(items.map((item, index) => part(tx, item, index))),
  } as unknown as Transaction
  return tx
}
