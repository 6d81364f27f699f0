import { ApiError } from '../../http/errors.ts'
import { directoryListOperation } from '../../http/page.ts'
import { AdministratorPath, PersonalToken } from '../administrator.schema.ts'
import { findPresentAdministrator } from '../administrator.sql.ts'
import { viewPersonalToken } from '../administrator.view.ts'
import { countPersonalTokens, listPersonalTokens } from '../personal-token.sql.ts'

export const listTokens = directoryListOperation(
  {
    id: 'listTokens',
    summary: 'List the personal tokens of an administrator',
    description: 'Also those that have ended or were revoked. The tokens themselves are stored nowhere.',
    tag: 'Administrators',
    path: '/administrators/:administratorId/tokens',
    role: 'viewer',
    params: AdministratorPath,
    item: PersonalToken,
    errors: ['not_found'],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [administrator, count, rows] = await Promise.all([
      findPresentAdministrator(tx, key),
      countPersonalTokens(tx, key),
      listPersonalTokens(tx, key, page),
    ])
    if (!administrator) throw new ApiError('not_found', 'There is no such administrator.')
    return { count, results: rows.map(viewPersonalToken) }
  },
)
