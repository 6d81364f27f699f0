import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { User } from '../user.schema.ts'
import { pageOfUsers } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const listUsers = directoryKeysetListOperation(
  {
    id: 'listUsers',
    summary: 'List users',
    description: 'The users of your tenant and their roles. Removed users are not shown.',
    tag: 'Users',
    path: '/users',
    duty: 'read',
    item: User,
    sorts: ['created_at'],
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfUsers(tx, tenantId, page)
    return { count, ...pageOf(rows, page, viewUser) }
  },
)
