import { directoryListOperation } from '../../http/page.ts'
import { Administrator } from '../administrator.schema.ts'
import { countPresentAdministrators, listPresentAdministrators } from '../administrator.sql.ts'
import { viewAdministrator } from '../administrator.view.ts'

export const listAdministrators = directoryListOperation(
  {
    id: 'listAdministrators',
    summary: 'List administrators',
    description: 'Who runs your tenant now. Those who were removed are not shown.',
    tag: 'Administrators',
    path: '/administrators',
    role: 'viewer',
    item: Administrator,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([
      countPresentAdministrators(tx, tenantId),
      listPresentAdministrators(tx, tenantId, page),
    ])
    return { count, results: rows.map(viewAdministrator) }
  },
)
