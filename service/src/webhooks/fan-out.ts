import { metrics } from '@opentelemetry/api'
import type pg from 'pg'
import { atMost } from '../base/at-most.ts'
import type { Logger } from '../base/log.ts'
import { type Repetition, repeat } from '../base/repeat.ts'
import { inTenantTransaction, type TenantDatabases } from '../db/tenant-transaction.ts'
import type { Transaction } from '../db/transaction.ts'
import { lastSequence } from '../events/event.sql.ts'
import { countEnabledEndpoints } from './endpoint.sql.ts'
import {
  insertDeliveries,
  listLostTurns,
  listTenantsBehind,
  lockCursor,
  lockResends,
  moveCursor,
  type Resend,
  requeueEvents,
} from './fan-out.sql.ts'
import { queueTurns } from './queue-turns.ts'

const pauseMs = 50
const lostPauseMs = 30_000
const tenantsMax = 200
const eventsMax = 500
/** So many tenants at the same time; the rest of the pool is for the answers of receivers. */
const lanes = 4

interface FanOutContext extends TenantDatabases {
  readonly log: Logger
}

/**
 * Turns the events of a cell into messages, for tenants that have endpoints. Found over all tenants with the worker's
 * narrow view, then done in a transaction of the tenant in which messages, jobs and cursor move together: so an event
 * becomes one message for each endpoint, whatever dies when. Any number of workers may.
 */
export function startFanOut(cell: pg.Pool, context: FanOutContext): Repetition[] {
  const gate = atMost(lanes)
  return [
    repeat(pauseMs, () =>
      logged(context, 'events could not be turned into messages', async () => {
        const tenants = await listTenantsBehind(cell, tenantsMax)
        behind.record(tenants.length)
        await Promise.all(tenants.map((tenantId) => gate(() => fanOutLogged(context, tenantId))))
      }),
    ),
    repeat(lostPauseMs, () =>
      logged(context, 'lost webhook jobs could not be looked for', async () => {
        for (const { tenantId, endpointId } of await listLostTurns(cell, tenantsMax))
          await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
            queueTurns(tx, tenantId, [endpointId]),
          )
      }),
    ),
  ]
}

const behind = metrics.getMeter('webhooks').createGauge('webhook_tenants_behind', {
  description: 'Tenants with events that are not messages yet, at the last look',
})

/** One tenant that cannot be reached does not keep the others waiting. */
function fanOutLogged(context: FanOutContext, tenantId: string): Promise<void> {
  return logged({ log: context.log.child({ tenant_id: tenantId }) }, 'a tenant has no messages yet', async () => {
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
      ...(until > after ? [moveCursor(tx, tenantId, until)] : []),
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

async function logged({ log }: { log: Logger }, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.warn({ err: error }, `${what}; trying again`)
  }
}
