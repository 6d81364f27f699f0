import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { requireLiveSession } from '../../sessions/require-live-session.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { userErrors } from '../../users/user.errors.ts'
import { NewPersonalToken, PersonalTokenWithSecret, UserPath } from '../../users/user.schema.ts'
import { findUser } from '../../users/user.sql.ts'
import { issuePersonalToken } from '../issue-personal-token.ts'
import { lockPersonalToken } from '../personal-token.sql.ts'
import { viewPersonalToken } from '../personal-token.view.ts'

export const createToken = directoryOperation(
  {
    id: 'createToken',
    summary: 'Create a personal access token',
    description:
      'For scripts of yours: the token acts with your current duties, but can never confirm anything. It ends with ' +
      'the session that created it if that session is revoked. Store the token: it is shown only in this response.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/tokens',
    duty: 'read',
    session: 'passkey',
    approval: 'never',
    idempotency: 'none',
    params: UserPath,
    body: NewPersonalToken,
    success: { status: 201, body: PersonalTokenWithSecret },
    errors: [
      requestErrors.not_found,
      requestErrors.session_expired,
      userErrors.not_your_token,
      tenantErrors.tenant_limit_reached,
    ],
  },
  async ({ params: { userId }, body }, { tenantId, tx, now, operator, secretPeppers, audit }) => {
    if (!(await findUser(tx, { tenantId, userId })))
      throw new ApiError(requestErrors.not_found, 'There is no such user.')
    if (operator.userId !== userId)
      throw new ApiError(userErrors.not_your_token, 'Users create personal access tokens for themselves only.')
    const { proof } = operator
    if (proof.type === 'session') await requireLiveSession(tx, { tenantId, userId, sessionId: proof.id })
    const owner = { tenantId, userId, sessionId: proof.type === 'session' ? proof.id : null }
    const newToken = { ...owner, name: body.name, now, days: body.expires_in_days }
    const { tokenId, token } = await issuePersonalToken(tx, secretPeppers, newToken)
    const inserted = await lockPersonalToken(tx, { tenantId, userId, tokenId })
    if (!inserted) throw new Error('the inserted personal access token was not found')
    const view = viewPersonalToken(inserted)
    const after = { user_id: userId, expires_at: view.expires_at }
    audit({ action: 'personal_token.issued', subject: { type: 'personal_token', id: tokenId }, after })
    return { ...view, token }
  },
)
