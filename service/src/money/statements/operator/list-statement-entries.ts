import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { countEntries, selectEntries } from '../entry.sql.ts'
import { entryStates, StatementEntry, StatementPath } from '../statement.schema.ts'
import { findStatement } from '../statement.sql.ts'
import { viewEntry } from '../statement.view.ts'

export const listStatementEntries = operatorListOperation(
  {
    id: 'listStatementEntries',
    summary: 'List the entries of a bank statement',
    description:
      'Credits and debits with their effects on orders and refunds. Entries in `needs_attention` had no effect: ' +
      'review them, then resolve them.',
    tag: 'Payments and refunds',
    path: '/statements/:statementId/entries',
    duty: 'read',
    params: StatementPath,
    item: StatementEntry,
    query: { state: Type.Optional(Type.Enum(entryStates, { description: 'Only entries in this state.' })) },
    errors: [requestErrors.not_found],
  },
  async ({ params, query, page }, { tenantId, tx, vault }) => {
    const key = { tenantId, ...params }
    const [statement, count, rows] = await Promise.all([
      findStatement(tx, key),
      countEntries(tx, key, query),
      selectEntries(tx, key, query, page),
    ])
    if (!statement) throw new ApiError(requestErrors.not_found, 'The statement does not exist.')
    return { count, results: await Promise.all(rows.map((row) => viewEntry(row, vault))) }
  },
)
