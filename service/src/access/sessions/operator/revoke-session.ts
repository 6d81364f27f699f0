import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireSelfOrTeam } from '../../users/require-self-or-team.ts'
import { Session, SessionPath } from '../session.schema.ts'
import { lockSession, revokeLockedSession } from '../session.sql.ts'
import { viewSession } from '../session.view.ts'

export const revokeSession = directoryOperation(
  {
    id: 'revokeSession',
    summary: 'End a session',
    description:
      'Ends one of your own sessions, and with it the tokens that were created in it; the sessions of other users ' +
      'need the duty `team`. Ending a session again changes nothing.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/sessions/:sessionId/revoke',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: SessionPath,
    success: { status: 200, body: Session },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, now, operator, audit }) => {
    requireSelfOrTeam(operator, params.userId)
    const key = { tenantId, ...params }
    const session = await lockSession(tx, key)
    if (!session) throw new ApiError(requestErrors.not_found, 'There is no such session.')
    if (session.revokedAt) {
      audit('nothing changed')
      return viewSession(session, operator.proof)
    }
    await revokeLockedSession(tx, key, now)
    const subject = { type: 'session', id: params.sessionId }
    audit({ action: 'session.revoked', subject, after: { user_id: params.userId } })
    return viewSession({ ...session, revokedAt: now }, operator.proof)
  },
)
