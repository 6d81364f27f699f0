import { Type } from 'typebox'
import { CalendarDate } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ExactAmount } from '../../payments/payment.schema.ts'
import { countAllEntries, selectAllEntries } from '../entry-list.sql.ts'
import { EntryOfStatement, entryStates } from '../statement.schema.ts'
import { viewEntry } from '../statement.view.ts'

export const listAllStatementEntries = keysetListOperation(
  {
    id: 'listAllStatementEntries',
    summary: 'List the entries of all bank statements',
    description: 'Credits and debits of all accounts with their effects, the newest import first.',
    tag: 'Payments and refunds',
    path: '/statement-entries',
    duty: 'read',
    item: EntryOfStatement,
    sorts: ['id', 'booked_on'],
    query: {
      state: Type.Optional(Type.Enum(entryStates, { description: 'Only entries in this state.' })),
      booked_from: Type.Optional(CalendarDate('Only entries booked on this day or later.')),
      booked_to: Type.Optional(CalendarDate('Only entries booked on this day or earlier.')),
      amount_min: Type.Optional(ExactAmount('Only entries of at least this amount.')),
      amount_max: Type.Optional(ExactAmount('Only entries of at most this amount.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, vault }) => {
    const [count, rows] = await tx.batch(
      (tx) => countAllEntries(tx, tenantId, query),
      (tx) => selectAllEntries(tx, tenantId, query, page),
    )
    const { results, next } = pageOf(rows, page, async (row) => ({
      ...(await viewEntry(row, vault)),
      statement_id: row.statementId,
      currency: row.currency,
    }))
    return { count, next, results: await Promise.all(results) }
  },
)
