import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireTeam } from '../require-team.ts'
import { userErrors } from '../user.errors.ts'
import { User, UserPath } from '../user.schema.ts'
import { lockUsers, removeLockedUser, userFingerprint } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const removeUser = directoryOperation(
  {
    id: 'removeUser',
    summary: 'Remove a user',
    description:
      'A second person must confirm it; to stop a user at once, revoke their sessions and tokens. Their sessions and ' +
      'tokens are rejected from the next request on, and so are tokens of service users that were shown to them: ' +
      'create new ones first. At least two people keep the duty `team`. The audit log keeps their actions.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/remove',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    params: UserPath,
    success: { status: 200, body: User },
    errors: [requestErrors.not_found, userErrors.team_too_small],
  },
  async ({ params: { userId } }, { tenantId, tx, now, audit }) => {
    const users = await lockUsers(tx, tenantId)
    const user = users.find(({ id }) => id === userId)
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    const isInTeam = user.duties.some(({ duty }) => duty === 'team')
    if (isInTeam) requireTeam(users.filter(({ id }) => id !== userId))
    const revoked = await removeLockedUser(tx, { tenantId, userId }, now)
    const before = { duties: user.duties.map(({ duty }) => duty) }
    const after = { revoked_service_tokens: revoked }
    audit({ action: 'user.removed', subject: { type: 'user', id: userId }, before, after })
    return viewUser({ ...user, removedAt: now })
  },
  { policy: 'always', subject: 'user', fingerprint: userFingerprint },
)
