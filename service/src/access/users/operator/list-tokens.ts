import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { countPersonalTokens, listPersonalTokens } from '../personal-token.sql.ts'
import { PersonalToken, UserPath } from '../user.schema.ts'
import { findPresentUser } from '../user.sql.ts'
import { viewPersonalToken } from '../user.view.ts'

export const listTokens = directoryListOperation(
  {
    id: 'listTokens',
    summary: 'List the personal tokens of an user',
    description: 'Also those that have ended or were revoked. The tokens themselves are stored nowhere.',
    tag: 'Users',
    path: '/users/:userId/tokens',
    role: 'viewer',
    params: UserPath,
    item: PersonalToken,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [user, count, rows] = await Promise.all([
      findPresentUser(tx, key),
      countPersonalTokens(tx, key),
      listPersonalTokens(tx, key, page),
    ])
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    return { count, results: rows.map(viewPersonalToken) }
  },
)
