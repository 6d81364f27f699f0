import { keysetListOperation, pageOfViews } from '../../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { pageOfEntries } from '../entry.sql.ts'
import { entryStates, ListedEntry, StatementPath } from '../statement.schema.ts'
import { findStatement } from '../statement.sql.ts'
import { viewListedEntry } from '../statement.view.ts'

export const listStatementEntries = keysetListOperation(
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
    item: ListedEntry,
    query: { state: SeveralOf(entryStates, 'Only entries in this state.') },
    errors: [requestErrors.not_found],
  },
  async ({ params, query, page }, { tenantId, tx, vault }) => {
    const key = { tenantId, ...params }
    const [statement, { count, rows }] = await tx.batch(
      (tx) => findStatement(tx, key),
      (tx) => pageOfEntries(tx, key, query, page),
    )
    if (!statement) throw new ApiError(requestErrors.not_found, 'The statement does not exist.')
    const shown = await pageOfViews(rows, page, (those) => Promise.all(those.map((row) => viewListedEntry(row, vault))))
    return { count, ...shown }
  },
)
