import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { findToken } from '../tokens/token-actions/token-action.sql.ts'
import { chainOf, type Lab } from './lab.ts'
import { simulationErrors } from './simulation.errors.ts'
import { Reorganisation, ReorganisationSimulation } from './simulation.schema.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulateReorg = (lab: Lab) =>
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
      errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
      isExtension: true,
    },
    async ({ body: { offering_id: offeringId, depth } }, { tenantId, tx }) => {
      const found = await findToken(tx, { tenantId, offeringId })
      if (!found) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
      await chainOf(lab, found.chain).reorganise(depth)
      return { blockchain: found.chain, depth }
    },
  )
