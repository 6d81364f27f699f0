import { metrics } from '@opentelemetry/api'
import pLimit from 'p-limit'
import { logFailure } from '../platform/base/log-failure.ts'
import { inTenantTransaction, type TenantDatabases } from '../platform/db/tenant-transaction.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import { type LoopContext, loop } from '../platform/jobs/loop.ts'
import { lastSequence } from '../records/events/event.sql.ts'
import { countEnabledEndpoints } from './endpoint.sql.ts'
import { queueTurns } from './enqueue-deliveries.ts'
import {
  advanceWebhookCursor,
  insertDeliveries,
  listLostTurns,
  listTenantsBehind,
  lockCursor,
  lockResends,
  type Resend,
  requeueEvents,
} from './fan-out.sql.ts'

const tenantsMax = 200
const eventsMax = 500
/** Tenants handled concurrently; the rest of the pool is for delivery results. */
const limit = pLimit(4)

/**
 * Turns events into deliveries, for tenants that have endpoints. Finds those tenants with the worker's limited view, then
 * moves deliveries, jobs and cursor together in one transaction of the tenant: each event becomes one delivery per
 * endpoint, wherever a process is killed.
 */
export const fanOutEvents = loop({
  name: 'fan-out-events',
  everyMs: 50,
  run: async (context) => {
    const tenants = await listTenantsBehind(context.pool, tenantsMax)
    behind.record(tenants.length)
    await Promise.all(tenants.map((tenantId) => limit(() => fanOutTenant(context, tenantId))))
  },
})

/** Enqueues the delivery job again for endpoints whose job was lost. */
export const requeueLostDeliveries = loop({
  name: 'requeue-lost-deliveries',
  everyMs: 30_000,
  run: async (context) => {
    for (const { tenantId, endpointId } of await listLostTurns(context.pool, tenantsMax))
      await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) => queueTurns(tx, tenantId, [endpointId]))
  },
})

const behind = metrics.getMeter('webhooks').createGauge('webhook_tenants_behind', {
  description: 'Tenants with events that are not messages yet, at the last look',
})

function fanOutTenant(context: LoopContext, tenantId: string): Promise<void> {
  const log = context.log.child({ tenant_id: tenantId })
  return logFailure(log, 'the events of a tenant could not be turned into deliveries', async () => {
    while (await fanOut(context, tenantId));
  })
}

/** Some of the events of a tenant; true where there are more. */
function fanOut(context: TenantDatabases, tenantId: string): Promise<boolean> {
  return inTenantTransaction(context, { tenantId, access: 'write' }, async (tx) => {
    const after = await lockCursor(tx, tenantId)
    if (after === undefined) return false
    // After the lock, so that they are at least as new as what whoever held it before has seen.
    const [head, enabled, resends] = await Promise.all([
      lastSequence(tx, tenantId),
      countEnabledEndpoints(tx, tenantId),
      lockResends(tx, tenantId),
    ])
    // Where nobody listens there is nothing to look through.
    const until = enabled === 0 ? head : Math.min(head, after + eventsMax)
    const touched = until > after && enabled > 0 ? await insertDeliveries(tx, tenantId, { after, until }) : []
    const isMore = await resendSome(tx, tenantId, resends)
    const endpointIds = [...new Set([...touched, ...resends.map(({ endpointId }) => endpointId)])]
    await Promise.all([
      ...(until > after ? [advanceWebhookCursor(tx, tenantId, until)] : []),
      queueTurns(tx, tenantId, endpointIds),
    ])
    return until < head || isMore
  })
}

/** Beside what is new, so that neither waits for the end of the other. True where there is more. */
async function resendSome(tx: Transaction, tenantId: string, resends: readonly Resend[]): Promise<boolean> {
  let isMore = false
  for (const { endpointId, done, until } of resends) {
    const [after, last] = [Number(done), Number(until)]
    const upTo = Math.min(last, after + eventsMax)
    isMore ||= upTo < last
    await requeueEvents(tx, { tenantId, endpointId }, { after, until: upTo })
  }
  return isMore
}
