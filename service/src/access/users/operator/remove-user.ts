import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireAdminLeft } from '../last-admin.ts'
import { userErrors } from '../user.errors.ts'
import { User, UserPath } from '../user.schema.ts'
import { lockPresentUsers, removeLockedUser } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const removeUser = directoryOperation(
  {
    id: 'removeUser',
    summary: 'Remove an user',
    description:
      'Their personal tokens are refused from their next request on. The last one with the role `user` ' +
      'cannot be removed. What they did stays in the audit log.',
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
    const present = await lockPresentUsers(tx, tenantId)
    const user = present.find(({ id }) => id === userId)
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    if (user.role === 'admin') requireAdminLeft(present, userId)
    await removeLockedUser(tx, { tenantId, userId }, now)
    const subject = { type: 'user', id: userId }
    audit({ action: 'user.removed', subject, before: { role: user.role } })
    return viewUser({ ...user, removedAt: now })
  },
)
