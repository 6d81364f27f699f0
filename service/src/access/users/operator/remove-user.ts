import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireAnotherAdmin } from '../require-another-admin.ts'
import { userErrors } from '../user.errors.ts'
import { User, UserPath } from '../user.schema.ts'
import { lockUsers, removeLockedUser } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const removeUser = directoryOperation(
  {
    id: 'removeUser',
    summary: 'Remove a user',
    description:
      'The operator API rejects their personal access tokens from the next request on. The last user with the role ' +
      '`admin` cannot be removed. The audit log keeps their actions.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/remove',
    role: 'admin',
    idempotency: 'none',
    params: UserPath,
    success: { status: 200, body: User },
    errors: [requestErrors.not_found, userErrors.last_admin],
  },
  async ({ params: { userId } }, { tenantId, tx, now, audit }) => {
    const users = await lockUsers(tx, tenantId)
    const user = users.find(({ id }) => id === userId)
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    if (user.role === 'admin') requireAnotherAdmin(users, userId)
    await removeLockedUser(tx, { tenantId, userId }, now)
    const subject = { type: 'user', id: userId }
    audit({ action: 'user.removed', subject, before: { role: user.role } })
    return viewUser({ ...user, removedAt: now })
  },
)
