import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { lockDirectoryLimits } from '../../tenants/tenant-limits.sql.ts'
import { issuePersonalToken } from '../issue-personal-token.ts'
import { lockPersonalToken } from '../personal-token.sql.ts'
import { requireTokenAccess } from '../require-token-access.ts'
import { NewPersonalToken, PersonalTokenWithSecret, UserPath } from '../user.schema.ts'
import { lockUser } from '../user.sql.ts'
import { viewPersonalToken } from '../user.view.ts'

export const createToken = directoryOperation(
  {
    id: 'createToken',
    summary: 'Create a personal access token',
    description:
      'The user sends the token to this API and acts with their current role. Admins create tokens for all users, ' +
      'other users for themselves. Store the token: it is shown only in this response.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/tokens',
    role: 'viewer',
    idempotency: 'none',
    params: UserPath,
    body: NewPersonalToken,
    success: { status: 201, body: PersonalTokenWithSecret },
    errors: [requestErrors.not_found, tenantErrors.tenant_limit_reached],
  },
  async ({ params, body }, { tenantId, tx, now, callerId, secretPeppers, audit }) => {
    const key = { tenantId, ...params }
    await requireTokenAccess(tx, { ...key, callerId })
    // Locked, so that an admin cannot remove the user concurrently. The tenant's limits are locked first.
    await lockDirectoryLimits(tx, tenantId)
    if (!(await lockUser(tx, key))) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    const newToken = { ...key, name: body.name, now, days: body.expires_in_days }
    const { tokenId, token } = await issuePersonalToken(tx, secretPeppers, newToken)
    const inserted = await lockPersonalToken(tx, { ...key, tokenId })
    if (!inserted) throw new Error('the inserted personal access token was not found')
    const view = viewPersonalToken(inserted)
    const after = { user_id: params.userId, expires_at: view.expires_at }
    audit({ action: 'personal_token.issued', subject: { type: 'personal_token', id: tokenId }, after })
    return { ...view, token }
  },
)
