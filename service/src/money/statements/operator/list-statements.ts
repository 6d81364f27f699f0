import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { Statement, StatementFilter } from '../statement.schema.ts'
import { pageOfStatements } from '../statement.sql.ts'
import { viewStatement } from '../statement.view.ts'

export const listStatements = keysetListOperation(
  {
    id: 'listStatements',
    summary: 'List bank statements',
    description: 'Imported statements with the number of entries by state.',
    tag: 'Payments and refunds',
    path: '/statements',
    duty: 'read',
    item: Statement,
    query: StatementFilter,
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfStatements(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewStatement) }
  },
)
