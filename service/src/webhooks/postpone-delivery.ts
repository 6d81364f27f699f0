import { inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { EndpointJob } from './deliver-to-endpoint.ts'
import type { DeliveryContext } from './delivery.ts'
import { postponeDeliveryJob } from './delivery-job.sql.ts'
import { enqueueDeliveryJob } from './enqueue-deliveries.ts'

/** Replaces the job by one that is due a few seconds later, at a random time, so that postponed jobs spread out. */
export async function postponeDelivery(context: DeliveryContext, own: EndpointJob): Promise<void> {
  const { tenantId } = own
  const seconds = 2 + 2 * Math.random()
  await context.transactionTurns.run(tenantId, () =>
    inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
      const next = await postponeDeliveryJob(tx, own, seconds)
      if (next) await enqueueDeliveryJob(tx, tenantId, next)
    }),
  )
}
