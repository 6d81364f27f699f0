import type { Scope } from '../../platform/api/declare/scopes.ts'
import { versionNames } from '../../platform/base/contract-versions.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AnyEventType, type EventType, eventTypes, scopeOfEvent } from './event-types.ts'

/** An event for integrators and webhooks, or for operators only: ids, states and amounts, never personal data. */
export interface NewEvent {
  readonly type: AnyEventType
  readonly data: EventData
  readonly sums?: EventSums
}

/** Amounts that an event adds to the sums of an offering, when the worker numbers it. */
export interface EventSums {
  /** A query if the writer does not know the offering. If the query finds none, nothing is added. */
  readonly offeringId: string | Sql
  readonly amounts: Readonly<Record<string, bigint>>
}

/** Sums of an offering that the writer knows. */
export type SumsOfOffering = EventSums & { readonly offeringId: string }

export type EventData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** Records an event, which commits with the change that it describes. A worker assigns its sequence number later. */
export async function recordEvent(
  tx: Transaction,
  tenantId: string,
  { type, data, sums }: NewEvent,
  /** Recording the same id again has no effect, so work that can run twice passes an id. */
  id = newRowId(),
): Promise<void> {
  const scope = scopeOfEvent(type)
  const isOwn = scope === 'own credential'
  tx.later(sql`
    insert into cell.event_outbox (tenant_id, id, type, scope, client_id, version, data, offering_id, sums)
    values (${tenantId}, ${id}, ${type}, ${isOwn ? null : scope}, ${isOwn ? data['client_id'] : null},
            ${versionNames.at(-1)}, ${JSON.stringify(data)}, ${sums?.offeringId ?? null}, ${sumsText(sums)})
    on conflict do nothing`)
}

/** Formats the amounts as text: a JSON number would lose digits of the units of a token. */
function sumsText(sums: EventSums | undefined): string | null {
  return sums
    ? JSON.stringify(sums.amounts, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
    : null
}

/** Records many events in the given order. They must not be events of a credential. */
export async function recordEvents(
  tx: Transaction,
  tenantId: string,
  events: readonly (Omit<NewEvent, 'sums'> & { readonly sums?: SumsOfOffering })[],
): Promise<void> {
  if (events.length === 0) return
  tx.later(sql`
    insert into cell.event_outbox (tenant_id, id, type, scope, version, data, offering_id, sums)
    select ${tenantId}::uuid, id, type, scope, ${versionNames.at(-1)}::date, data, offering_id, sums
    from unnest(${events.map(() => newRowId())}::uuid[], ${events.map(({ type }) => type)}::text[],
                ${events.map(({ type }) => scopeOfEvent(type))}::text[],
                ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
                ${events.map(({ sums }) => sums?.offeringId ?? null)}::uuid[],
                ${events.map(({ sums }) => sumsText(sums))}::jsonb[])
      with ordinality as given (id, type, scope, data, offering_id, sums, position)
    order by position`)
}

/**
 * Records an event at most once, for work that can run twice and long after the change: has no effect if an event with
 * this id exists, numbered or not. Numbering moves events from event_outbox to event under this advisory lock. A
 * separate statement takes the lock, so that the snapshot of the next one includes events moved in the meantime.
 */
export async function recordEventOnce(tx: Transaction, tenantId: string, event: NewEvent, id: string): Promise<void> {
  await tx.rows(sql`select from pg_advisory_xact_lock(hashtextextended('cell.event_outbox', 0))`)
  const existing = await tx.row(sql`
    select from cell.event where event.tenant_id = ${tenantId} and event.id = ${id} limit 1`)
  if (!existing) await recordEvent(tx, tenantId, event, id)
}

export interface EventRow<Type extends AnyEventType = EventType> {
  id: string
  sequence: string
  type: Type
  version: string
  data: EventData
  createdAt: Date
}

export interface EventQuery {
  after: number
  limit: number
  /** Null to read all types. */
  type: EventType | null
  scopes: readonly Scope[]
  clientId: string
}

/**
 * Returns the events after a sequence number that the caller may read, oldest first. One index per scope and per
 * credential.
 */
export function selectEventsAfter(
  tx: Transaction,
  tenantId: string,
  { after, limit, type, scopes, clientId }: EventQuery,
): Promise<EventRow[]> {
  return tx.rows<EventRow>(sql`
    select id, sequence, type, version, data, created_at as "createdAt"
    from (
      select found.*
      from unnest(${[...scopes, eventTypes['events.restored']]}::text[]) readable (scope)
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

/** Returns the sequence number of the tenant's latest event, even if the caller may not read that event. */
export async function selectLastSequence(tx: Transaction, tenantId: string): Promise<number> {
  return (await findEventHead(tx, tenantId)).lastSequence
}

export interface EventHead {
  lastSequence: number
  /** The last restore of the database: the last number before it, and the number of the event that reports it. */
  restored: { keptSequence: number; sequence: number; restoredTo: Date } | undefined
}

export async function findEventHead(tx: Transaction, tenantId: string): Promise<EventHead> {
  type Row = { lastSequence: string; kept: string | null; restored: string | null; restoredTo: Date | null }
  const head = await tx.row<Row>(sql`
    select last_sequence as "lastSequence", kept_sequence as kept, restored_sequence as restored,
           restored_to as "restoredTo"
    from cell.event_head where tenant_id = ${tenantId}`)
  const { kept = null, restored = null, restoredTo = null } = head ?? {}
  return {
    lastSequence: Number(head?.lastSequence ?? 0),
    restored:
      kept === null || restored === null || restoredTo === null
        ? undefined
        : { keptSequence: Number(kept), sequence: Number(restored), restoredTo },
  }
}
