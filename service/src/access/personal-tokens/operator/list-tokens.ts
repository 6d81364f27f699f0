import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { PersonalToken, UserPath } from '../../users/user.schema.ts'
import { findUser } from '../../users/user.sql.ts'
import { pageOfPersonalTokens } from '../personal-token.sql.ts'
import { viewPersonalToken } from '../personal-token.view.ts'

export const listTokens = directoryKeysetListOperation(
  {
    id: 'listTokens',
    summary: 'List the personal access tokens of a user',
    description:
      'Includes expired and revoked tokens. Only the hash of a token is stored, so its secret is never shown again.',
    tag: 'Users',
    path: '/users/:userId/tokens',
    duty: 'read',
    params: UserPath,
    item: PersonalToken,
    sorts: ['created_at'],
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [user, { count, rows }] = await tx.batch(
      (tx) => findUser(tx, key),
      (tx) => pageOfPersonalTokens(tx, key, page),
    )
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    return { count, ...pageOf(rows, page, viewPersonalToken) }
  },
)
