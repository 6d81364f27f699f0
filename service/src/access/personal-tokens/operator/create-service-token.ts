import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { NewPersonalToken, PersonalTokenWithSecret, UserPath } from '../../users/user.schema.ts'
import { findUser, userFingerprint } from '../../users/user.sql.ts'
import { issuePersonalToken } from '../issue-personal-token.ts'
import { lockPersonalToken } from '../personal-token.sql.ts'
import { viewPersonalToken } from '../personal-token.view.ts'

export const createServiceToken = directoryOperation(
  {
    id: 'createServiceToken',
    summary: 'Create a token for a service user',
    description:
      'The token is shown once, to the second person who confirms it. As that person can act as the service user, ' +
      'they cannot confirm what it proposes. Revoke it like the token of a person.',
    tag: 'Users',
    method: 'POST',
    path: '/service-users/:userId/tokens',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    params: UserPath,
    body: NewPersonalToken,
    success: { status: 201, body: PersonalTokenWithSecret },
    errors: [requestErrors.not_found, tenantErrors.tenant_limit_reached],
  },
  async ({ params: { userId }, body }, { tenantId, tx, now, callerId, confirmedBy, secretPeppers, audit }) => {
    const user = await findUser(tx, { tenantId, userId })
    if (user?.kind !== 'service') throw new ApiError(requestErrors.not_found, 'There is no such service user.')
    const newToken = { tenantId, userId, sessionId: null, name: body.name, now, days: body.expires_in_days }
    const shownTo = confirmedBy ?? callerId
    const { tokenId, token } = await issuePersonalToken(tx, secretPeppers, { ...newToken, shownTo })
    const inserted = await lockPersonalToken(tx, { tenantId, userId, tokenId })
    if (!inserted) throw new Error('the inserted personal access token was not found')
    const view = viewPersonalToken(inserted)
    const after = { user_id: userId, expires_at: view.expires_at, shown_to: shownTo }
    audit({ action: 'personal_token.issued', subject: { type: 'personal_token', id: tokenId }, after })
    return { ...view, token }
  },
  { policy: 'always', subject: 'user', fingerprint: userFingerprint },
)
