import { operatorListOperation } from '../../http/page.ts'
import { Statement } from '../statement.schema.ts'
import { countStatements, listStatements as listRows } from '../statement.sql.ts'
import { viewStatement } from '../statement.view.ts'

export const listStatements = operatorListOperation(
  {
    id: 'listStatements',
    summary: 'List bank statements',
    description: 'Those that were imported, and what became of their entries.',
    tag: 'Payments and refunds',
    path: '/statements',
    role: 'viewer',
    item: Statement,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countStatements(tx, tenantId), listRows(tx, tenantId, page)])
    return { count, results: rows.map(viewStatement) }
  },
)
