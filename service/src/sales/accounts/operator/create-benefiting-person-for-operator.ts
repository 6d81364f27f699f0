import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { AccountPath } from '../account.schema.ts'
import { addBenefitingPerson, addBenefitingPersonErrors } from '../add-benefiting-person.ts'
import { BenefitingPerson, NewBenefitingPerson } from '../benefiting-person.schema.ts'

export const createBenefitingPersonForOperator = operatorOperation(
  {
    id: 'createBenefitingPerson',
    summary: 'Add a benefiting person to a company account',
    description: 'Adds a beneficial owner of the company. Only company accounts have them, at most 1,000 each.',
    tag: 'Accounts',
    method: 'POST',
    path: '/accounts/:accountId/benefiting-persons',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: AccountPath,
    body: NewBenefitingPerson,
    success: { status: 201, body: BenefitingPerson },
    errors: addBenefitingPersonErrors,
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const person = await addBenefitingPerson(tx, { tenantId, ...params }, body)
    audit({
      action: 'account.benefiting_person_added',
      subject: { type: 'account', id: params.accountId },
      after: { benefiting_person_id: person.id },
    })
    return person
  },
)
