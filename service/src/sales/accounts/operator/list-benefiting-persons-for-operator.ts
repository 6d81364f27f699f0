import { Type } from 'typebox'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { AccountPath } from '../account.schema.ts'
import { BenefitingPerson } from '../benefiting-person.schema.ts'
import { readBenefitingPersons } from '../read-benefiting-persons.ts'

export const listBenefitingPersonsForOperator = operatorOperation(
  {
    ...readOne,
    id: 'listBenefitingPersons',
    summary: 'List the benefiting persons of an account',
    description: 'Returns all of them: this list is not paged. An individual account has none.',
    tag: 'Accounts',
    path: '/accounts/:accountId/benefiting-persons',
    duty: 'read',
    params: AccountPath,
    success: { status: 200, body: Type.Array(BenefitingPerson) },
  },
  ({ params }, { tenantId, tx }) => readBenefitingPersons(tx, { tenantId, ...params }),
)
