import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { issuePersonalToken } from '../issue-personal-token.ts'
import { requireOwnTokens } from '../own-tokens.ts'
import { lockPersonalToken } from '../personal-token.sql.ts'
import { NewPersonalToken, PersonalTokenWithSecret, UserPath } from '../user.schema.ts'
import { lockPresentUser } from '../user.sql.ts'
import { viewPersonalToken } from '../user.view.ts'

export const createToken = directoryOperation(
  {
    id: 'createToken',
    summary: 'Make a personal token',
    description:
      'With it the user calls this API, with the role that they have then. An user makes one for ' +
      'anybody, others for themselves. It is shown this once.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/tokens',
    role: 'viewer',
    idempotency: 'none',
    params: UserPath,
    body: NewPersonalToken,
    success: { status: 201, body: PersonalTokenWithSecret },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, now, callerId, secretPeppers, audit }) => {
    const key = { tenantId, ...params }
    await requireOwnTokens(tx, { ...key, callerId })
    // Held, so that nobody is removed while they get a token.
    if (!(await lockPresentUser(tx, key))) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    const wanted = { ...key, name: body.name, now, days: body.expires_in_days }
    const { tokenId, token } = await issuePersonalToken(tx, secretPeppers, wanted)
    const made = await lockPersonalToken(tx, { ...key, tokenId })
    if (!made) throw new Error('a token that was just inserted is not there')
    const view = viewPersonalToken(made)
    const after = { user_id: params.userId, expires_at: view.expires_at }
    audit({ action: 'personal_token.issued', subject: { type: 'personal_token', id: tokenId }, after })
    return { ...view, token }
  },
)
