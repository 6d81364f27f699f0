import pLimit from 'p-limit'
import { logFailure } from '../platform/base/log-failure.ts'
import { gauge } from '../platform/base/metric.ts'
import { type LoopContext, loop } from '../platform/jobs/loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { selectLastSequence } from '../records/events/event.sql.ts'
import { countEnabledEndpoints } from './endpoint.sql.ts'
import { enqueueDeliveryJobs } from './enqueue-deliveries.ts'
import {
  advanceWebhookCursor,
  areTenantsBehind,
  insertDeliveries,
  lockFanOutCursor,
  lockResends,
  type Resend,
  requeueEvents,
  selectLostJobs,
  selectSequenceOfNth,
  selectTenantsBehind,
} from './fan-out.sql.ts'

const tenantsMax = 200
const eventsMax = 500
/** A batch of a tenant with many endpoints has fewer events, so that its transaction stays short. */
const deliveriesMax = 5_000
/** Tenants of a cell handled concurrently; the rest of its pool is for delivery results. */
const concurrencyMax = 4

/**
 * Creates the deliveries of new events, for tenants that have endpoints. Finds those tenants with the worker's limited
 * view, then writes deliveries, jobs and cursor in one transaction of the tenant: an event becomes exactly one delivery
 * per endpoint, wherever a process is killed.
 */
export const fanOutEvents = loop({
  name: 'fan-out-events',
  everyMs: 50,
  isDue: () => areTenantsBehind,
  run: async (context, beat) => {
    // One limit per run, and so per cell: a cell that hangs must not delay the others.
    const limit = pLimit(concurrencyMax)
    let hasMore = true
    // One batch of each tenant, then the tenants that are behind by now: a long backlog of one delays no other.
    while (hasMore) {
      beat()
      const tenants = await selectTenantsBehind(context.pool, tenantsMax)
      tenantsBehind.record(tenants.length, { cell: context.cell })
      const results = await Promise.all(tenants.map((tenantId) => limit(() => fanOutTenant(context, tenantId))))
      hasMore = results.includes(true)
    }
  },
})

/** Enqueues a new delivery job for endpoints whose job was lost. */
export const requeueLostDeliveries = loop({
  name: 'requeue-lost-deliveries',
  everyMs: 30_000,
  run: async (context) => {
    for (const { tenantId, endpointId } of await selectLostJobs(context.pool, tenantsMax))
      await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        enqueueDeliveryJobs(tx, tenantId, [endpointId]),
      )
  },
})

const tenantsBehind = gauge('webhook_tenants_behind', {
  description: 'Tenants with events that the last run of the fan-out found without deliveries',
  labels: ['cell'],
})

/** Returns true if the tenant has more events. */
async function fanOutTenant(context: LoopContext, tenantId: string): Promise<boolean> {
  const log = context.log.child({ tenant_id: tenantId })
  let hasMore = false
  await logFailure(log, 'the events of a tenant could not be fanned out', async () => {
    hasMore = await fanOutBatch(context, tenantId)
  })
  return hasMore
}

/** Returns true if the tenant has more events. */
function fanOutBatch(context: TenantDatabases, tenantId: string): Promise<boolean> {
  return inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    const after = await lockFanOutCursor(tx, tenantId)
    if (after === undefined) return false
    // Reads after taking the lock, so that the values are at least as new as those that the previous lock owner saw.
    const [head, enabled, resends] = await tx.batch(
      (tx) => selectLastSequence(tx, tenantId),
      (tx) => countEnabledEndpoints(tx, tenantId),
      (tx) => lockResends(tx, tenantId),
    )
    // If no endpoint is enabled, the cursor skips all events at once.
    const until = enabled === 0 ? head : await endOfBatch(tx, tenantId, { after, until: head }, enabled)
    const withDeliveries = until > after && enabled > 0 ? await insertDeliveries(tx, tenantId, { after, until }) : []
    const hasMoreResends = await requeueBatch(tx, tenantId, resends)
    const endpointIds = [...new Set([...withDeliveries, ...resends.map(({ endpointId }) => endpointId)])]
    await tx.batch(
      (tx) => until > after && advanceWebhookCursor(tx, tenantId, until),
      (tx) => enqueueDeliveryJobs(tx, tenantId, endpointIds),
    )
    return until < head || hasMoreResends
  })
}

/** Returns the last number of a batch. Counts events, not numbers: a restore leaves a gap of a billion numbers. */
async function endOfBatch(
  tx: Transaction,
  tenantId: string,
  range: { after: number; until: number },
  endpoints = 1,
): Promise<number> {
  const nth = Math.min(eventsMax, Math.ceil(deliveriesMax / endpoints))
  if (range.until - range.after <= nth) return range.until
  return (await selectSequenceOfNth(tx, tenantId, { ...range, nth })) ?? range.until
}

/** Advances resends together with new events, so that neither waits for the other. Returns true if there is more. */
async function requeueBatch(tx: Transaction, tenantId: string, resends: readonly Resend[]): Promise<boolean> {
  let hasMore = false
  for (const { endpointId, done, until } of resends) {
    const [after, last] = [Number(done), Number(until)]
    const upTo = await endOfBatch(tx, tenantId, { after, until: last })
    hasMore ||= upTo < last
    await requeueEvents(tx, { tenantId, endpointId }, { after, until: upTo })
  }
  return hasMore
}
