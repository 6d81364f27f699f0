import type { Scope } from '../../platform/api/declare/scopes.ts'
import { versionNames } from '../../platform/api/server/versions.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type EventType, eventTypes } from './event-types.ts'

/** What happened, for whoever follows the tenant: ids, states and amounts, and nothing of a person. */
export interface NewEvent {
  readonly type: EventType
  readonly data: EventData
}

export type EventData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** Commits with the change that it tells of, or not at all. A worker gives it its number afterwards. */
export async function recordEvent(
  tx: Transaction,
  tenantId: string,
  { type, data }: NewEvent,
  /** The same id again is the same event: for work that may start twice. */
  id = newRowId(),
): Promise<void> {
  const scope = eventTypes[type]
  const isOwn = scope === 'own credential'
  await tx.rows(sql`
    insert into cell.event_outbox (tenant_id, id, type, scope, client_id, version, data)
    values (${tenantId}, ${id}, ${type}, ${isOwn ? null : scope}, ${isOwn ? data['client_id'] : null},
            ${versionNames.at(-1)}, ${JSON.stringify(data)})
    on conflict do nothing`)
}

/** Many at once, in this order. None of them is for one credential alone. */
export async function recordEvents(tx: Transaction, tenantId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.rows(sql`
    insert into cell.event_outbox (tenant_id, id, type, scope, version, data)
    select ${tenantId}::uuid, id, type, scope, ${versionNames.at(-1)}::date, data
    from unnest(${events.map(() => newRowId())}::uuid[], ${events.map(({ type }) => type)}::text[],
                ${events.map(({ type }) => eventTypes[type])}::text[],
                ${events.map(({ data }) => JSON.stringify(data))}::jsonb[])
      with ordinality as given (id, type, scope, data, place)
    order by place`)
}

/**
 * For work that may start twice, and long after the change: not where an event of this id is already, numbered or not.
 * It moves from one place to the other under this lock, which is taken in a statement of its own, so that the next one
 * sees where it went.
 */
export async function recordEventOnce(tx: Transaction, tenantId: string, event: NewEvent, id: string): Promise<void> {
  await tx.rows(sql`select from pg_advisory_xact_lock(hashtextextended('cell.event_outbox', 0))`)
  const known = await tx.row(sql`
    select from cell.event where event.tenant_id = ${tenantId} and event.id = ${id} limit 1`)
  if (!known) await recordEvent(tx, tenantId, event, id)
}

export interface EventRow {
  id: string
  sequence: string
  type: EventType
  version: string
  data: EventData
  createdAt: Date
}

export interface EventQuestion {
  after: number
  limit: number
  /** Only these; null for all. */
  type: EventType | null
  scopes: readonly Scope[]
  clientId: string
}

/** The events behind a number that this caller may read, oldest first; each kind of reader has an index of its own. */
export function listEventsAfter(
  tx: Transaction,
  tenantId: string,
  { after, limit, type, scopes, clientId }: EventQuestion,
): Promise<EventRow[]> {
  return tx.rows<EventRow>(sql`
    select id, sequence, type, version, data, created_at as "createdAt"
    from (
      select found.*
      from unnest(${scopes}::text[]) readable (scope)
      cross join lateral (
        select event.* from cell.event
        where event.tenant_id = ${tenantId} and event.scope = readable.scope and event.sequence > ${after}::bigint
          and (${type}::text is null or event.type = ${type})
        order by event.sequence limit ${limit}::bigint
      ) found
      union all
      (
        select event.* from cell.event
        where event.tenant_id = ${tenantId} and event.client_id = ${clientId} and event.sequence > ${after}::bigint
          and (${type}::text is null or event.type = ${type})
        order by event.sequence limit ${limit}::bigint
      )
    ) readable
    order by sequence limit ${limit}::bigint`)
}

/** How far the tenant's numbers have come, whether or not the caller may read the last one. */
export async function lastSequence(tx: Transaction, tenantId: string): Promise<number> {
  const head = await tx.row<{ lastSequence: string }>(sql`
    select last_sequence as "lastSequence" from cell.event_head where tenant_id = ${tenantId}`)
  return Number(head?.lastSequence ?? 0)
}
