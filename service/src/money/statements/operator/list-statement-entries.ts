import { Type } from 'typebox'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { countEntries, listEntries } from '../entry.sql.ts'
import { entryStates, StatementEntry, StatementPath } from '../statement.schema.ts'
import { findStatement } from '../statement.sql.ts'
import { viewEntry } from '../statement.view.ts'

export const listStatementEntries = operatorListOperation(
  {
    id: 'listStatementEntries',
    summary: 'List the entries of a bank statement',
    description:
      'What moved, and what that did. Those in `attention` did nothing and want to be looked at; then say so.',
    tag: 'Payments and refunds',
    path: '/statements/:statementId/entries',
    role: 'viewer',
    params: StatementPath,
    item: StatementEntry,
    query: { state: Type.Optional(Type.Enum(entryStates, { description: 'Only those in this state.' })) },
    errors: [requestErrors.not_found],
  },
  async ({ params, query, page }, { tenantId, tx, vault }) => {
    const key = { tenantId, ...params }
    const [statement, count, rows] = await Promise.all([
      findStatement(tx, key),
      countEntries(tx, key, query),
      listEntries(tx, key, query, page),
    ])
    if (!statement) throw new ApiError(requestErrors.not_found, 'There is no such statement.')
    return { count, results: await Promise.all(rows.map((row) => viewEntry(row, vault))) }
  },
)
