import { Type } from 'typebox'
import { ApiError } from '../../http/errors.ts'
import { operatorOperation } from '../../http/operation.ts'
import { AccountPath } from '../account.schema.ts'
import { findAccount } from '../account.sql.ts'
import { BenefitingPerson } from '../benefiting-person.schema.ts'
import { listBenefitingPersons as selectBenefitingPersons } from '../benefiting-person.sql.ts'

export const listBenefitingPersons = operatorOperation(
  {
    id: 'listBenefitingPersons',
    summary: 'List the benefiting persons of an account',
    description: 'All of them at once: this list has no pages. An individual account has none.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId/benefiting-persons',
    role: 'viewer',
    idempotency: 'none',
    params: AccountPath,
    success: { status: 200, body: Type.Array(BenefitingPerson) },
    errors: ['not_found'],
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [account, persons] = await Promise.all([findAccount(tx, key), selectBenefitingPersons(tx, key)])
    if (!account) throw new ApiError('not_found', 'There is no such account.')
    return persons
  },
)
