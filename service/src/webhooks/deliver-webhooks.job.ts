import { job } from '../platform/jobs/job.ts'
import { deliverToEndpoint } from './deliver-to-endpoint.ts'
import type { DeliveryContext } from './delivery.ts'
import { deliveryQueue, failingDeliveryQueue } from './enqueue-deliveries.ts'

export const deliverWebhooks = job({
  ...deliveryQueue,
  isFrequent: true,
  run: ({ tenant_id: tenantId, endpoint_id: endpointId, job_number: jobNumber }, context: DeliveryContext) =>
    deliverToEndpoint(context, { tenantId, endpointId, jobNumber, isFailingQueue: false }),
})

export const deliverToFailingEndpoints = job({
  ...failingDeliveryQueue,
  isFrequent: true,
  run: ({ tenant_id: tenantId, endpoint_id: endpointId, job_number: jobNumber }, context: DeliveryContext) =>
    deliverToEndpoint(context, { tenantId, endpointId, jobNumber, isFailingQueue: true }),
})
