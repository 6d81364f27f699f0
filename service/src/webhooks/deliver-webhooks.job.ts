import { job } from '../platform/jobs/job.ts'
import { serveEndpoint } from './deliver-to-endpoint.ts'
import type { DeliveryContext } from './delivery.ts'
import { deliverLane, failingLane } from './enqueue-deliveries.ts'

/** Delivers what is due to one endpoint. */
export const deliverWebhooks = job({
  ...deliverLane,
  isFrequent: true,
  run: ({ tenant_id: tenantId, endpoint_id: endpointId, turn }, context: DeliveryContext) =>
    serveEndpoint(context, { tenantId, endpointId, turn, isFailingLane: false }),
})

/** The same for endpoints that fail, in a queue of their own: receivers that hang do not delay the others. */
export const deliverToFailingEndpoints = job({
  ...failingLane,
  isFrequent: true,
  run: ({ tenant_id: tenantId, endpoint_id: endpointId, turn }, context: DeliveryContext) =>
    serveEndpoint(context, { tenantId, endpointId, turn, isFailingLane: true }),
})
