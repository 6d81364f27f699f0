import { ApiError } from '../http/errors.ts'
import { operation } from '../http/operation.ts'
import { findToken } from '../settlement/token-action.sql.ts'
import { chainOf, type Lab } from './lab.ts'
import { Reorganisation, ReorganisationSimulation } from './simulation.schema.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulateReorganisation = (lab: Lab) =>
  operation(
    {
      id: 'simulateReorganisation',
      summary: 'Reorganise the chain',
      description:
        'The last blocks are replaced by empty ones. Transactions that were `pending` vanish; those of ours are sent ' +
        'again and end as they would have. Development only.',
      tag: simulationTag,
      method: 'POST',
      path: '/simulations/reorganisation',
      scopes: simulationScopes,
      idempotency: 'none',
      body: ReorganisationSimulation,
      success: { status: 200, body: Reorganisation },
      errors: ['not_found', 'simulation_refused'],
      isExtension: true,
    },
    async ({ body: { offering_id: offeringId, depth } }, { tenantId, tx }) => {
      const found = await findToken(tx, { tenantId, offeringId })
      if (!found) throw new ApiError('not_found', 'There is no such offering.')
      await chainOf(lab, found.chain).reorganise(depth)
      return { blockchain: found.chain, depth }
    },
  )
