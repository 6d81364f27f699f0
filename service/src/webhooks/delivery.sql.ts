import { filteredCut } from '../platform/api/declare/page.sql.ts'
import type { Page } from '../platform/api/declare/page.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { EventRow } from '../records/events/event.sql.ts'
import type { EndpointKey } from './endpoint.sql.ts'

export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED', 'DROPPED'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One attempt as it is kept. */
export interface AttemptEntry {
  number: number
  at: string
  outcome: string
  status_code: number | null
  duration_ms: number
}

export interface DeliveryRow {
  eventId: string
  sequence: string | null
  type: string
  state: DeliveryState
  dueAt: Date
  createdAt: Date
  attemptCount: number
  attempts: AttemptEntry[]
}

export interface DeliveryKey extends EndpointKey {
  eventId: string
}

/** A message that is due, and the event behind it; a ping has none. */
export interface DueDelivery {
  eventId: string
  day: string
  tries: number
  attemptCount: number
  createdAt: Date
  event: Pick<EventRow, 'sequence' | 'type' | 'version' | 'data'> | null
  eventCreatedAt: Date | null
}

/** The oldest that are due. Events that went with their day have no message left to send. */
export function listDue(tx: Transaction, { tenantId, endpointId }: EndpointKey, limit: number): Promise<DueDelivery[]> {
  return tx.rows<DueDelivery>(sql`
    select due.event_id as "eventId", due.day, due.tries, due.attempt_count as "attemptCount",
           due.created_at as "createdAt", event.created_at as "eventCreatedAt",
           case when event.id is not null then json_build_object(
             'sequence', event.sequence, 'type', event.type, 'version', event.version, 'data', event.data) end as event
    from (
      select * from cell.webhook_delivery
      where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and state = 'PENDING' and due_at <= now()
      order by due_at, sequence limit ${limit}::bigint
    ) due
    left join cell.event on event.tenant_id = due.tenant_id and event.sequence = due.sequence and event.day = due.day
    order by due.due_at, due.sequence`)
}

export interface RecordedAttempt {
  eventId: string
  day: string
  state: DeliveryState
  dueAt: Date
  entry: AttemptEntry
}

/**
 * What came of messages. One that was dropped while it was on its way stays dropped, unless it has arrived. Only the
 * last attempts are kept: a message can be sent again any number of times.
 */
export async function recordAttempts(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  attempts: readonly RecordedAttempt[],
): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_delivery
    set state = case when made.state = 'DELIVERED' or webhook_delivery.state = 'PENDING'
                then made.state else webhook_delivery.state end,
        tries = tries + 1, attempt_count = attempt_count + 1, due_at = made.due_at,
        attempts = case when jsonb_array_length(attempts) >= 20 then attempts - 0 else attempts end || made.entry
    from unnest(${attempts.map(({ eventId }) => eventId)}::uuid[], ${attempts.map(({ day }) => day)}::date[],
                ${attempts.map(({ state }) => state)}::text[], ${attempts.map(({ dueAt }) => dueAt)}::timestamptz[],
                ${attempts.map(({ entry }) => JSON.stringify(entry))}::jsonb[])
      as made (event_id, day, state, due_at, entry)
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and webhook_delivery.event_id = made.event_id
      and webhook_delivery.day = made.day`)
}

const columns = sql`
  event_id as "eventId", sequence, type, state, due_at as "dueAt", created_at as "createdAt",
  attempt_count as "attemptCount", attempts`

export interface DeliveryFilter {
  state?: string | undefined
  type?: string | undefined
}

function matching({ tenantId, endpointId }: EndpointKey, { state, type }: DeliveryFilter): Sql {
  return sql`
    tenant_id = ${tenantId} and endpoint_id = ${endpointId}
    and (${state ?? null}::text is null or state = ${state ?? null})
    and (${type ?? null}::text is null or type = ${type ?? null})`
}

export async function countDeliveries(tx: Transaction, key: EndpointKey, filter: DeliveryFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.webhook_delivery where ${matching(key, filter)}`)
  return found?.count ?? 0
}

export function listDeliveries(
  tx: Transaction,
  key: EndpointKey,
  filter: DeliveryFilter,
  page: Page,
): Promise<DeliveryRow[]> {
  return tx.rows<DeliveryRow>(sql`
    select ${columns} from cell.webhook_delivery where ${matching(key, filter)}
    ${filteredCut(sql`(created_at, coalesce(sequence, 0), event_id)`, page)}`)
}

/** A message that no event stands behind. */
export async function insertPing(
  tx: Transaction,
  { tenantId, endpointId, eventId }: DeliveryKey,
  type: string,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.webhook_delivery (tenant_id, endpoint_id, event_id, day, type, due_at, created_at)
    values (${tenantId}, ${endpointId}, ${eventId}, (now() at time zone 'utc')::date, ${type}, now(), now())`)
}

export function findDelivery(
  tx: Transaction,
  { tenantId, endpointId, eventId }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
  return tx.row<DeliveryRow>(sql`
    select ${columns} from cell.webhook_delivery
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and event_id = ${eventId}`)
}

/** To the beginning of its schedule, whatever came of it before. */
export function requeueDelivery(
  tx: Transaction,
  { tenantId, endpointId, eventId }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
  return tx.row<DeliveryRow>(sql`
    update cell.webhook_delivery set state = 'PENDING', tries = 0, due_at = now()
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and event_id = ${eventId}
    returning ${columns}`)
}
