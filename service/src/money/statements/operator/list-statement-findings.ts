import { Type } from 'typebox'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { StatementFinding } from '../statement.schema.ts'
import { countFindings, selectFindings } from '../statement-finding.sql.ts'
import { viewFinding } from '../statement-finding.view.ts'

export const listStatementFindings = keysetListOperation(
  {
    id: 'listStatementFindings',
    summary: 'List what is missing between bank statements',
    description:
      'Statements that do not begin with the closing balance of the one before them: what is missing, out of order ' +
      'or differs. Importing a missing statement removes its finding.',
    tag: 'Payments and refunds',
    path: '/statement-findings',
    duty: 'read',
    item: StatementFinding,
    query: {
      is_resolved: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'Only those that an operator has, or has not, resolved.' }),
      ),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await tx.batch(
      (tx) => countFindings(tx, tenantId, query),
      (tx) => selectFindings(tx, tenantId, query, page),
    )
    return { count, ...pageOf(rows, page, viewFinding) }
  },
)
