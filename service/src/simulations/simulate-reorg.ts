import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { findToken } from '../tokens/token-actions/token-action.sql.ts'
import { simulationErrors } from './simulation.errors.ts'
import { Reorg, ReorgSimulation } from './simulation.schema.ts'
import { simulationHeader } from './simulation-header.ts'
import { requireTestChain, type TestChains } from './test-chains.ts'

export const simulateReorg = (chains: TestChains) =>
  operation(
    {
      id: 'simulateReorg',
      summary: 'Simulate a reorg',
      description:
        'Replaces the last blocks of the chain with empty ones. `pending` transactions disappear; the service sends ' +
        'its own again. Development only.',
      ...simulationHeader,
      path: '/simulations/reorg',
      idempotency: 'none',
      body: ReorgSimulation,
      success: { status: 200, body: Reorg },
      errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
    },
    async ({ body: { offering_id: offeringId, depth } }, { tenantId, tx }) => {
      const found = await findToken(tx, { tenantId, offeringId })
      if (!found) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
      await requireTestChain(chains, found.chain).reorg(depth)
      return { blockchain: found.chain, depth }
    },
  )
