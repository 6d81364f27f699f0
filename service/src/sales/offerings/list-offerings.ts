import { listOperation } from '../../platform/api/declare/page.ts'
import { Offering } from './offering.schema.ts'
import { countVisibleOfferings, selectVisibleOfferings } from './offering.sql.ts'
import { viewOffering } from './offering.view.ts'

export const listOfferings = listOperation(
  {
    id: 'listOfferings',
    summary: 'List offerings',
    description: 'The open and closed offerings of your tenant. Drafts are not shown.',
    tag: 'Offerings',
    path: '/offerings',
    scopes: ['offering.read'],
    item: Offering,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await tx.batch(
      (tx) => countVisibleOfferings(tx, tenantId),
      (tx) => selectVisibleOfferings(tx, tenantId, page),
    )
    return { count, results: rows.map(viewOffering) }
  },
)
