import { TenantSlots } from '../platform/base/tenant-slots.ts'
import { job } from '../platform/jobs/job.ts'
import { inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import { deliverToEndpoint, type EndpointJob } from './deliver-to-endpoint.ts'
import type { DeliveryContext } from './delivery.ts'
import { postponeDeliveryJob } from './delivery-job.sql.ts'
import { deliveryQueue, enqueueDeliveryJob, failingDeliveryQueue } from './enqueue-deliveries.ts'

export const deliverWebhooks = job({
  ...deliveryQueue,
  isFrequent: true,
  run: ({ tenant_id: tenantId, endpoint_id: endpointId, job_number: jobNumber }, context: DeliveryContext) =>
    deliverOrPostpone(context, slots, { tenantId, endpointId, jobNumber, isFailingQueue: false }),
})

export const deliverToFailingEndpoints = job({
  ...failingDeliveryQueue,
  isFrequent: true,
  run: ({ tenant_id: tenantId, endpoint_id: endpointId, job_number: jobNumber }, context: DeliveryContext) =>
    deliverOrPostpone(context, failingSlots, { tenantId, endpointId, jobNumber, isFailingQueue: true }),
})

// A quarter of each queue. Most tenants have fewer endpoints. A tenant whose hundreds of endpoints hang leaves the
// rest.
const slots = new TenantSlots(64)
const failingSlots = new TenantSlots(32)

/** Checks the tenant's slots in the job: the queue fetches jobs in batches and cannot skip those of one tenant. */
async function deliverOrPostpone(context: DeliveryContext, queueSlots: TenantSlots, own: EndpointJob): Promise<void> {
  if (queueSlots.isFull(own.tenantId)) return postponeDelivery(context, own)
  queueSlots.take(own.tenantId)
  try {
    await deliverToEndpoint(context, own)
  } finally {
    queueSlots.release(own.tenantId)
  }
}

/** Replaces the job by one that is due a few seconds later, at a random time, so that postponed jobs spread out. */
async function postponeDelivery(context: DeliveryContext, own: EndpointJob): Promise<void> {
  const { tenantId } = own
  const seconds = 2 + 2 * Math.random()
  await context.transactionTurns.run(tenantId, () =>
    inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      const next = await postponeDeliveryJob(tx, own, seconds)
      if (next) await enqueueDeliveryJob(tx, tenantId, next)
    }),
  )
}
