import { operation } from '../../platform/api/declare/operation.ts'
import { readOne } from '../../platform/api/declare/read-one.ts'
import { AccountEligibility, AccountEligibilityPath } from './eligibility.schema.ts'
import { readAccountEligibility } from './eligibility.view.ts'
import { requireAccountAndOffering } from './require-account-and-offering.ts'

export const getAccountEligibility = operation(
  {
    ...readOne,
    id: 'getAccountEligibility',
    summary: 'Read what an account needs to buy an offering',
    description:
      'The documents that the investor must accept, the questionnaire to answer, and everything that would keep an ' +
      'order of the account from being minted. Orders are accepted nevertheless, and wait.',
    tag: 'Eligibility',
    path: '/accounts/:accountId/eligibility/:offeringId',
    scopes: ['account.read'],
    params: AccountEligibilityPath,
    success: { status: 200, body: AccountEligibility },
    isExtension: true,
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    await requireAccountAndOffering(tx, key)
    return readAccountEligibility(tx, key)
  },
)
