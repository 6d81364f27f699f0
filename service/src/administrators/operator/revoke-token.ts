import { ApiError } from '../../http/errors.ts'
import { directoryOperation } from '../../http/operation.ts'
import { PersonalToken, TokenPath } from '../administrator.schema.ts'
import { viewPersonalToken } from '../administrator.view.ts'
import { requireOwnTokens } from '../own-tokens.ts'
import { lockPersonalToken, revokeLockedToken } from '../personal-token.sql.ts'

export const revokeToken = directoryOperation(
  {
    id: 'revokeToken',
    summary: 'Revoke a personal token',
    description:
      'It is refused from the next request on. An administrator revokes the token of anybody, others their own. ' +
      'Revoking it again changes nothing.',
    tag: 'Administrators',
    method: 'POST',
    path: '/administrators/:administratorId/tokens/:tokenId/revoke',
    role: 'viewer',
    idempotency: 'none',
    params: TokenPath,
    success: { status: 200, body: PersonalToken },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx, now, callerId, audit }) => {
    const key = { tenantId, ...params }
    await requireOwnTokens(tx, { ...key, callerId })
    const token = await lockPersonalToken(tx, key)
    if (!token) throw new ApiError('not_found', 'There is no such personal token.')
    if (token.revokedAt) {
      audit('nothing changed')
      return viewPersonalToken(token)
    }
    await revokeLockedToken(tx, key, now)
    const after = { administrator_id: params.administratorId, revoked_at: now.toISOString() }
    audit({ action: 'personal_token.revoked', subject: { type: 'personal_token', id: params.tokenId }, after })
    return viewPersonalToken({ ...token, revokedAt: now })
  },
)
