import { operation } from '../../platform/api/declare/operation.ts'
import { AccountPath } from './account.schema.ts'
import { addBenefitingPerson, addBenefitingPersonErrors } from './add-benefiting-person.ts'
import { BenefitingPerson, NewBenefitingPerson } from './benefiting-person.schema.ts'

export const createBenefitingPerson = operation(
  {
    id: 'createBenefitingPerson',
    summary: 'Add a benefiting person to a company account',
    description: 'Adds a beneficial owner of the company. Only company accounts have them, at most 1,000 each.',
    tag: 'Benefiting persons',
    method: 'POST',
    path: '/accounts/:accountId/benefiting-persons',
    scopes: ['account.update', 'account.create'],
    idempotency: 'required',
    params: AccountPath,
    body: NewBenefitingPerson,
    success: { status: 201, body: BenefitingPerson },
    errors: addBenefitingPersonErrors,
  },
  ({ params, body }, { tenantId, tx }) => addBenefitingPerson(tx, { tenantId, ...params }, body),
)
