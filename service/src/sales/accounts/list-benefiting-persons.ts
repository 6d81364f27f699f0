import { Type } from 'typebox'
import { Closed } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { readOne } from '../../platform/api/declare/read-one.ts'
import { AccountPath } from './account.schema.ts'
import { BenefitingPerson } from './benefiting-person.schema.ts'
import { readBenefitingPersons } from './read-benefiting-persons.ts'

const Ignored = Type.Optional(Type.Unknown({ description: 'Ignored: this list is not paged.' }))

export const listBenefitingPersons = operation(
  {
    ...readOne,
    id: 'listBenefitingPersons',
    summary: 'List the benefiting persons of an account',
    description: 'Returns all of them: this list is not paged. An individual account has none.',
    tag: 'Benefiting persons',
    path: '/accounts/:accountId/benefiting-persons',
    scopes: ['account.read'],
    params: AccountPath,
    // Ignored, for clients that send paging parameters to every list.
    query: Closed({ limit: Ignored, offset: Ignored }),
    success: { status: 200, body: Type.Array(BenefitingPerson) },
  },
  ({ params }, { tenantId, tx }) => readBenefitingPersons(tx, { tenantId, ...params }),
)
