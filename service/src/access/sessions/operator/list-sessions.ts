import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireSelfOrTeam } from '../../users/require-self-or-team.ts'
import { UserPath } from '../../users/user.schema.ts'
import { findUser } from '../../users/user.sql.ts'
import { Session } from '../session.schema.ts'
import { pageOfSessions } from '../session.sql.ts'
import { viewSession } from '../session.view.ts'

export const listSessions = directoryKeysetListOperation(
  {
    id: 'listSessions',
    summary: 'List the sessions of a user',
    description: 'Your own sessions; those of other users need the duty `team`. Includes sessions that have ended.',
    tag: 'Users',
    path: '/users/:userId/sessions',
    duty: 'read',
    params: UserPath,
    item: Session,
    sorts: ['created_at'],
    errors: [requestErrors.not_found],
  },
  async ({ params: { userId }, page }, { tenantId, tx, operator }) => {
    requireSelfOrTeam(operator, userId)
    const key = { tenantId, userId }
    const [user, { count, rows }] = await tx.batch(
      (tx) => findUser(tx, key),
      (tx) => pageOfSessions(tx, key, page),
    )
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    return { count, ...pageOf(rows, page, (row) => viewSession(row, operator.proof)) }
  },
)
