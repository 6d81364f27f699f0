import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { User } from '../user.schema.ts'
import { countPresentUsers, listPresentUsers } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const listUsers = directoryListOperation(
  {
    id: 'listUsers',
    summary: 'List users',
    description: 'Who runs your tenant now. Those who were removed are not shown.',
    tag: 'Users',
    path: '/users',
    role: 'viewer',
    item: User,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countPresentUsers(tx, tenantId), listPresentUsers(tx, tenantId, page)])
    return { count, results: rows.map(viewUser) }
  },
)
