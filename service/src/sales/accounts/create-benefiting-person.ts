import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { AccountPath } from './account.schema.ts'
import { BenefitingPerson, NewBenefitingPerson } from './benefiting-person.schema.ts'
import { insertBenefitingPerson, lockAccountForPerson } from './benefiting-person.sql.ts'
import { recheckMintPreconditions } from './recheck-mint-preconditions.ts'

const personsMax = 1_000

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
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const account = await lockAccountForPerson(tx, key)
    if (!account) throw new ApiError(requestErrors.not_found, 'There is no such account.')
    if (account.type !== 'COMPANY')
      throw rejected('accountId must be a company account: an individual account has no benefiting persons.')
    if (account.count >= personsMax)
      throw rejected(`The account already has ${personsMax} benefiting persons, the maximum.`)

    const person = { id: newRowId(), ...body }
    const data = { account_id: params.accountId, benefiting_person_id: person.id }
    await Promise.all([
      insertBenefitingPerson(tx, { ...key, ...person }),
      recordEvent(tx, tenantId, { type: 'benefiting_person.created', data }),
      recheckMintPreconditions(tx, key),
    ])
    return person
  },
)

function rejected(detail: string): ApiError {
  return validationFailed([{ detail, parameter: 'accountId' }])
}
