import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireAnotherAdmin } from '../require-another-admin.ts'
import { userErrors } from '../user.errors.ts'
import { User, UserChange, UserPath } from '../user.schema.ts'
import { lockUsers, updateLockedRole } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const updateUser = directoryOperation(
  {
    id: 'updateUser',
    summary: 'Change the role of a user',
    description: 'Takes effect with their next request. The last user with the role `admin` cannot lose it.',
    tag: 'Users',
    method: 'PATCH',
    path: '/users/:userId',
    role: 'admin',
    idempotency: 'none',
    params: UserPath,
    body: UserChange,
    success: { status: 200, body: User },
    errors: [requestErrors.not_found, userErrors.last_admin],
  },
  async ({ params: { userId }, body: { role } }, { tenantId, tx, audit }) => {
    const users = await lockUsers(tx, tenantId)
    const user = users.find(({ id }) => id === userId)
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    if (user.role === role) {
      audit('nothing changed')
      return viewUser(user)
    }
    if (user.role === 'admin') requireAnotherAdmin(users, userId)
    await updateLockedRole(tx, { tenantId, userId }, role)
    const subject = { type: 'user', id: userId }
    audit({ action: 'user.role_changed', subject, before: { role: user.role }, after: { role } })
    return viewUser({ ...user, role })
  },
)
