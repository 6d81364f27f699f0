import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireSelfOrTeam } from '../../users/require-self-or-team.ts'
import { PersonalToken, TokenPath } from '../../users/user.schema.ts'
import { lockPersonalToken, revokeLockedToken } from '../personal-token.sql.ts'
import { viewPersonalToken } from '../personal-token.view.ts'

export const revokeToken = directoryOperation(
  {
    id: 'revokeToken',
    summary: 'Revoke a personal access token',
    description:
      'The operator API rejects the token from the next request on. Users with the duty `team` revoke the tokens of ' +
      'all users, other users their own. Revoking a token again changes nothing.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/tokens/:tokenId/revoke',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: TokenPath,
    success: { status: 200, body: PersonalToken },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, now, operator, audit }) => {
    const key = { tenantId, ...params }
    requireSelfOrTeam(operator, params.userId)
    const token = await lockPersonalToken(tx, key)
    if (!token) throw new ApiError(requestErrors.not_found, 'There is no such personal access token.')
    if (token.revokedAt) {
      audit('nothing changed')
      return viewPersonalToken(token)
    }
    await revokeLockedToken(tx, key, now)
    const after = { user_id: params.userId, revoked_at: now.toISOString() }
    audit({ action: 'personal_token.revoked', subject: { type: 'personal_token', id: params.tokenId }, after })
    return viewPersonalToken({ ...token, revokedAt: now })
  },
)
