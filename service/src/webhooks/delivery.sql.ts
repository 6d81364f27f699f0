import { allOf, boundedCount, isEqual, isOneOf, keysetCut } from '../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { EventRow } from '../records/events/event.sql.ts'
import { type EndpointKey, isEndpoint, isOfEndpoint } from './endpoint.sql.ts'
import { verificationType } from './message.ts'

export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED', 'DROPPED'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One attempt as stored in `attempts`. */
export interface AttemptEntry {
  number: number
  at: string
  outcome: string
  status_code: number | null
  duration_ms: number
}

export interface DeliveryRow {
  eventId: string
  day: string
  sequence: string | null
  type: string
  state: DeliveryState
  dueAt: Date
  createdAt: Date
  attemptsSinceQueued: number
  attemptCount: number
  attempts: AttemptEntry[]
}

export interface DeliveryKey extends EndpointKey {
  eventId: string
}

/** A delivery that is due, with its event; a ping or a verification has none. */
export interface DueDelivery
  extends Pick<DeliveryRow, 'eventId' | 'day' | 'type' | 'createdAt' | 'attemptsSinceQueued' | 'attemptCount'> {
  /** Its due time as text. A Date loses the microseconds, by which recordAttempts recognizes a later resend. */
  queuedFor: string
  event: Pick<EventRow, 'sequence' | 'type' | 'version' | 'data'> | null
  eventCreatedAt: Date | null
}

/** Condition for deliveries that may be sent: to an unverified endpoint, only its verification. */
export function isSendable(key: EndpointKey): Sql {
  return sql`
    (webhook_delivery.type = ${verificationType} or exists (
      select from cell.webhook_endpoint where ${isEndpoint(key)} and verified_at is not null))`
}

/** Oldest first. Deliveries and events of a day are deleted together, so every delivery has its event. */
export function selectDueDeliveries(tx: Transaction, key: EndpointKey, limit: number): Promise<DueDelivery[]> {
  return tx.rows<DueDelivery>(sql`
    select due.event_id as "eventId", due.day, due.type, due.attempts_since_queued as "attemptsSinceQueued",
           due.attempt_count as "attemptCount", due.created_at as "createdAt", due.due_at::text as "queuedFor",
           event.created_at as "eventCreatedAt",
           case when event.id is not null then json_build_object(
             'sequence', event.sequence, 'type', event.type, 'version', event.version, 'data', event.data) end as event
    from (
      select * from cell.webhook_delivery
      where ${isOfEndpoint(key)} and state = 'PENDING' and due_at <= now() and ${isSendable(key)}
      order by due_at, sequence limit ${limit}::bigint
    ) due
    left join cell.event on event.tenant_id = due.tenant_id and event.sequence = due.sequence and event.day = due.day
    order by due.due_at, due.sequence`)
}

export interface RecordedAttempt extends Pick<DeliveryRow, 'eventId' | 'day' | 'state' | 'dueAt'> {
  /** The due time as read before the attempt. */
  queuedFor: string
  entry: AttemptEntry
}

/**
 * Stores one attempt per delivery. A delivery that was dropped while in flight stays dropped unless it was delivered,
 * and one that was queued again meanwhile keeps its new schedule: a failure of the earlier attempt says nothing about
 * the message that the operator requested. Keeps the last 20 attempts, because an operator can resend a delivery any
 * number of times.
 */
export async function recordAttempts(
  tx: Transaction,
  key: EndpointKey,
  attempts: readonly RecordedAttempt[],
): Promise<void> {
  // Queueing a delivery sets its due time. If the time is unchanged, nothing has queued it since.
  const isAsRead = sql`webhook_delivery.due_at = made.queued_for`
  await tx.rows(sql`
    update cell.webhook_delivery
    set state = case when made.state = 'DELIVERED' or (webhook_delivery.state = 'PENDING' and ${isAsRead})
                then made.state else webhook_delivery.state end,
        due_at = case when made.state = 'DELIVERED' or ${isAsRead} then made.due_at else webhook_delivery.due_at end,
        attempts_since_queued = attempts_since_queued + case when ${isAsRead} then 1 else 0 end,
        attempt_count = attempt_count + 1,
        attempts = case when jsonb_array_length(attempts) >= 20 then attempts - 0 else attempts end || made.entry
    from unnest(${attempts.map(({ eventId }) => eventId)}::uuid[], ${attempts.map(({ day }) => day)}::date[],
                ${attempts.map(({ state }) => state)}::text[], ${attempts.map(({ dueAt }) => dueAt)}::timestamptz[],
                ${attempts.map(({ queuedFor }) => queuedFor)}::timestamptz[],
                ${attempts.map(({ entry }) => JSON.stringify(entry))}::jsonb[])
      as made (event_id, day, state, due_at, queued_for, entry)
    where ${isOfEndpoint(key)} and webhook_delivery.event_id = made.event_id and webhook_delivery.day = made.day`)
}

const columns = sql`
  event_id as "eventId", day, sequence, type, state, due_at as "dueAt", created_at as "createdAt",
  attempts_since_queued as "attemptsSinceQueued", attempt_count as "attemptCount", attempts`

export interface DeliveryFilter {
  state?: readonly string[] | undefined
  type?: string | undefined
}

function matching(key: EndpointKey, { state, type }: DeliveryFilter): Sql {
  return allOf([isOfEndpoint(key), isOneOf(sql`state`, state), isEqual(sql`type`, type)])
}

export function countDeliveries(tx: Transaction, key: EndpointKey, filter: DeliveryFilter): Promise<number> {
  return boundedCount(tx, sql`from cell.webhook_delivery where ${matching(key, filter)}`)
}

export function selectDeliveries(
  tx: Transaction,
  key: EndpointKey,
  filter: DeliveryFilter,
  page: KeysetPage,
): Promise<(DeliveryRow & KeysetRow)[]> {
  const cut = keysetCut(sql`event_id`, page, { created_at: { column: sql`created_at`, type: 'timestamptz' } })
  return tx.rows(sql`
    select ${columns}, ${cut.column} from cell.webhook_delivery
    where ${matching(key, filter)} and ${cut.where} ${cut.orderBy}`)
}

/** Inserts a delivery without an event. */
export async function insertPing(tx: Transaction, { tenantId, endpointId, eventId }: DeliveryKey, type: string) {
  await tx.rows(sql`
    insert into cell.webhook_delivery (tenant_id, endpoint_id, event_id, day, type, due_at, created_at)
    values (${tenantId}, ${endpointId}, ${eventId}, (now() at time zone 'utc')::date, ${type}, now(), now())`)
}

/** Ends verifications that an operator or a new URL has replaced. */
export async function dropVerifications(tx: Transaction, key: EndpointKey): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_delivery set state = 'DROPPED'
    where ${isOfEndpoint(key)} and state = 'PENDING' and type = ${verificationType}`)
}

export function findDelivery(tx: Transaction, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  return tx.row<DeliveryRow>(sql`
    select ${columns} from cell.webhook_delivery where ${isOfEndpoint(key)} and event_id = ${key.eventId}`)
}

/** Returns the event of a delivery; undefined for a ping or a verification. */
export function findDeliveredEvent(
  tx: Transaction,
  tenantId: string,
  { sequence, day }: Pick<DeliveryRow, 'sequence' | 'day'>,
): Promise<EventRow | undefined> {
  return tx.row<EventRow>(sql`
    select id, sequence, type, version, data, created_at as "createdAt" from cell.event
    where tenant_id = ${tenantId} and sequence = ${sequence}::bigint and day = ${day}::date`)
}

/** Restarts the retry schedule of a delivery in any state. */
export function requeueDelivery(tx: Transaction, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  return tx.row<DeliveryRow>(sql`
    update cell.webhook_delivery set state = 'PENDING', attempts_since_queued = 0, due_at = now()
    where ${isOfEndpoint(key)} and event_id = ${key.eventId}
    returning ${columns}`)
}
