import { Type } from 'typebox'
import { Closed } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from './account.schema.ts'
import { findAccount } from './account.sql.ts'
import { BenefitingPerson } from './benefiting-person.schema.ts'
import { selectBenefitingPersons } from './benefiting-person.sql.ts'

const Ignored = Type.Optional(Type.Unknown({ description: 'Ignored: this list is not paged.' }))

export const listBenefitingPersons = operation(
  {
    id: 'listBenefitingPersons',
    summary: 'List the benefiting persons of an account',
    description: 'Returns all of them: this list is not paged. An individual account has none.',
    tag: 'Benefiting persons',
    method: 'GET',
    path: '/accounts/:accountId/benefiting-persons',
    scopes: ['account.read'],
    idempotency: 'none',
    params: AccountPath,
    // Ignored, for clients that send paging parameters to every list.
    query: Closed({ limit: Ignored, offset: Ignored }),
    success: { status: 200, body: Type.Array(BenefitingPerson) },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, persons] = await tx.batch(
      (tx) => findAccount(tx, key),
      (tx) => selectBenefitingPersons(tx, key),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    return persons
  },
)
