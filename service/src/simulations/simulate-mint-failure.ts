import { operation } from '../platform/api/declare/operation.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../sales/offerings/offering.schema.ts'
import { releaseOrder } from '../sales/orders/operator/release-order.ts'
import { chainOf, type Lab } from './lab.ts'
import { perform } from './perform.ts'
import { requireDeployedToken } from './require-token.ts'
import { simulationErrors } from './simulation.errors.ts'
import { MintFailure, MintFailureSimulation } from './simulation.schema.ts'
import { listHeldOrders } from './simulation.sql.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulateMintFailure = (lab: Lab) =>
  operation(
    {
      id: 'simulateMintFailure',
      summary: 'Make mints of an offering fail',
      description:
        'The token refuses every mint until you say otherwise: orders go back to `READYTOMINT`, and after three ' +
        'tries they are held, with the reason of the contract among their blockers. `failing: false` mends the token ' +
        'and releases them. Development only.',
      tag: simulationTag,
      method: 'POST',
      path: '/simulations/offerings/:offeringId/mint-failure',
      scopes: simulationScopes,
      idempotency: 'none',
      params: OfferingPath,
      body: MintFailureSimulation,
      success: { status: 200, body: MintFailure },
      errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
      isExtension: true,
    },
    async ({ params, body: { failing } }, context) => {
      const { tenantId, tx } = context
      const key = { tenantId, ...params }
      const { chain, token } = await requireDeployedToken(tx, key)
      await chainOf(lab, chain).setPaused(token, failing)
      const held = failing ? [] : await listHeldOrders(tx, key)
      for (const orderId of held) await perform(releaseOrder, { params: { orderId } }, context)
      return { offering_id: params.offeringId, failing, released_orders: held.length }
    },
  )
