import { Type } from 'typebox'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { assignDeliveryJobs, clearBackoff, type DeliveryJob, lockEndpoints } from './delivery-job.sql.ts'
import type { EndpointKey } from './endpoint.sql.ts'

const payload = Type.Object({ tenant_id: Type.String(), endpoint_id: Type.String(), job_number: Type.String() })

export const deliveryQueue = { name: 'deliver-webhooks', payload } as const
/** Queue of failing endpoints. Its own concurrency limit keeps receivers that hang from delaying the others. */
export const failingDeliveryQueue = { name: 'deliver-webhooks-to-failing', payload } as const

/** Enqueues a job for each of these endpoints that needs one. Commits with the deliveries. */
export async function enqueueDeliveryJobs(
  tx: Transaction,
  tenantId: string,
  endpointIds: readonly string[],
): Promise<void> {
  if (endpointIds.length === 0) return
  // One round trip; the server runs the statements in this order.
  const [, jobs] = await tx.batch(
    (tx) => lockEndpoints(tx, tenantId, endpointIds),
    (tx) => assignDeliveryJobs(tx, tenantId, endpointIds),
  )
  await tx.each(jobs, (tx, job) => enqueueDeliveryJob(tx, tenantId, job))
}

/** Enqueues a job that is due now, even if the endpoint is backing off: an operator waits for the result. */
export async function enqueueDeliveryJobNow(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await clearBackoff(tx, { tenantId, endpointId })
  await enqueueDeliveryJobs(tx, tenantId, [endpointId])
}

export async function enqueueDeliveryJob(
  tx: Transaction,
  tenantId: string,
  { endpointId, jobNumber, jobDueAt, failures }: DeliveryJob,
): Promise<void> {
  const queue = failures > 0 ? failingDeliveryQueue : deliveryQueue
  await enqueueJob(tx, queue, { tenant_id: tenantId, endpoint_id: endpointId, job_number: jobNumber }, jobDueAt)
}
