import { operation } from '../platform/api/declare/operation.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../sales/offerings/offering.schema.ts'
import { releaseMintHold } from '../sales/orders/operator/release-mint-hold.ts'
import { perform } from './perform.ts'
import { requireDeployedToken } from './require-token.ts'
import { simulationErrors } from './simulation.errors.ts'
import { MintFailure, MintFailureSimulation } from './simulation.schema.ts'
import { selectOrdersOnMintHold } from './simulation.sql.ts'
import { simulationHeader } from './simulation-header.ts'
import { requireTestChain, type TestChains } from './test-chains.ts'

export const simulateMintFailure = (chains: TestChains) =>
  operation(
    {
      id: 'simulateMintFailure',
      summary: 'Make mints of an offering fail',
      description:
        'Pauses the token, so that every mint reverts: orders return to `READYTOMINT`, and after three failed ' +
        'attempts they are on hold, with the revert reason among their blockers. `failing: false` unpauses the ' +
        'token and releases the orders. Development only.',
      ...simulationHeader,
      path: '/simulations/offerings/:offeringId/mint-failure',
      idempotency: 'none',
      params: OfferingPath,
      body: MintFailureSimulation,
      success: { status: 200, body: MintFailure },
      errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
    },
    async ({ params, body: { failing } }, context) => {
      const { tenantId, tx } = context
      const key = { tenantId, ...params }
      const { chain, token } = await requireDeployedToken(tx, key)
      await requireTestChain(chains, chain).setPaused(token, failing)
      const onHold = failing ? [] : await selectOrdersOnMintHold(tx, key)
      for (const orderId of onHold) await perform(releaseMintHold, { params: { orderId } }, context)
      return { offering_id: params.offeringId, failing, released_orders: onHold.length }
    },
  )
