import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { User } from '../user.schema.ts'
import { countUsers, selectUsers } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const listUsers = directoryListOperation(
  {
    id: 'listUsers',
    summary: 'List users',
    description: 'The users of your tenant and their roles. Removed users are not shown.',
    tag: 'Users',
    path: '/users',
    duty: 'read',
    item: User,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countUsers(tx, tenantId), selectUsers(tx, tenantId, page)])
    return { count, results: rows.map(viewUser) }
  },
)
