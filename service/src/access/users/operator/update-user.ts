import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { parseDuties, requireAllowedDuties, requireServiceDuties } from '../parse-duties.ts'
import { requireTeam } from '../require-team.ts'
import { userErrors } from '../user.errors.ts'
import { User, UserChange, UserPath } from '../user.schema.ts'
import { findUser, lockUsers, replaceDuties, userFingerprint } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const updateUser = directoryOperation(
  {
    id: 'updateUser',
    summary: 'Change the duties of a user',
    description:
      'Replaces the duties; a second person must confirm it. Takes effect with the next request of the user. At ' +
      'least two people keep the duty `team`.',
    tag: 'Users',
    method: 'PATCH',
    path: '/users/:userId',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    params: UserPath,
    body: UserChange,
    success: { status: 200, body: User },
    errors: [
      requestErrors.not_found,
      userErrors.team_too_small,
      userErrors.service_user_in_team,
      userErrors.duties_forbidden,
    ],
  },
  async ({ params: { userId }, body }, { tenantId, tx, callerId, audit }) => {
    const duties = parseDuties(body)
    await requireAllowedDuties(tx, tenantId, duties)
    const users = await lockUsers(tx, tenantId)
    const user = users.find(({ id }) => id === userId)
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    if (user.kind === 'service') requireServiceDuties(duties)
    await replaceDuties(tx, { tenantId, userId }, duties, callerId)
    const changed = await findUser(tx, { tenantId, userId })
    if (!changed) throw new Error('the changed user was not found')
    if (user.duties.some(({ duty }) => duty === 'team'))
      requireTeam([...users.filter(({ id }) => id !== userId), changed])
    const dutiesOf = (row: typeof changed) => row.duties.map(({ duty }) => duty)
    const subject = { type: 'user', id: userId }
    audit({
      action: 'user.duties_changed',
      subject,
      before: { duties: dutiesOf(user) },
      after: { duties: dutiesOf(changed) },
    })
    return viewUser(changed)
  },
  { policy: 'always', subject: 'user', fingerprint: userFingerprint },
)
