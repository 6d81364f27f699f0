import { ApiError } from '../../http/errors.ts'
import { directoryOperation } from '../../http/operation.ts'
import { AdministratorPath, NewPersonalToken, PersonalTokenWithSecret } from '../administrator.schema.ts'
import { lockPresentAdministrator } from '../administrator.sql.ts'
import { viewPersonalToken } from '../administrator.view.ts'
import { issuePersonalToken } from '../issue-personal-token.ts'
import { requireOwnTokens } from '../own-tokens.ts'
import { lockPersonalToken } from '../personal-token.sql.ts'

export const createToken = directoryOperation(
  {
    id: 'createToken',
    summary: 'Make a personal token',
    description:
      'With it the administrator calls this API, with the role that they have then. An administrator makes one for ' +
      'anybody, others for themselves. It is shown this once.',
    tag: 'Administrators',
    method: 'POST',
    path: '/administrators/:administratorId/tokens',
    role: 'viewer',
    idempotency: 'none',
    params: AdministratorPath,
    body: NewPersonalToken,
    success: { status: 201, body: PersonalTokenWithSecret },
    errors: ['not_found'],
  },
  async ({ params, body }, { tenantId, tx, now, callerId, secretPeppers, audit }) => {
    const key = { tenantId, ...params }
    await requireOwnTokens(tx, { ...key, callerId })
    // Held, so that nobody is removed while they get a token.
    if (!(await lockPresentAdministrator(tx, key))) throw new ApiError('not_found', 'There is no such administrator.')
    const wanted = { ...key, name: body.name, now, days: body.expires_in_days }
    const { tokenId, token } = await issuePersonalToken(tx, secretPeppers, wanted)
    const made = await lockPersonalToken(tx, { ...key, tokenId })
    if (!made) throw new Error('a token that was just inserted is not there')
    const view = viewPersonalToken(made)
    const after = { administrator_id: params.administratorId, expires_at: view.expires_at }
    audit({ action: 'personal_token.issued', subject: { type: 'personal_token', id: tokenId }, after })
    return { ...view, token }
  },
)
