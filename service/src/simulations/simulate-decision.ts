import type { Static } from 'typebox'
import { operation } from '../platform/api/declare/operation.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { Account, AccountPath } from '../sales/accounts/account.schema.ts'
import { approvalRisks } from '../sales/accounts/approval-risks.ts'
import { getAccount } from '../sales/accounts/get-account.ts'
import { decideAccount } from '../sales/accounts/operator/decide-account.ts'
import { perform } from './perform.ts'
import { DecisionSimulation } from './simulation.schema.ts'
import { simulationHeader } from './simulation-header.ts'

export const simulateDecision = operation(
  {
    id: 'simulateDecision',
    summary: 'Decide on an account like an operator',
    description: 'Sets `kyc` or `kyb`. Orders that wait for the approval advance or stop. Development only.',
    ...simulationHeader,
    path: '/simulations/accounts/:accountId/decision',
    idempotency: 'optional',
    params: AccountPath,
    body: DecisionSimulation,
    success: { status: 200, body: Account },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, context) => {
    await perform(
      decideAccount,
      { params, body: { ...body, acknowledged: approvalRisks, reason: 'Simulated.' } },
      context,
    )
    return perform<Static<typeof Account>>(getAccount, { params }, context)
  },
)
