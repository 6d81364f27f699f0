import type pg from 'pg'
import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { jobLostAfter } from './delivery-job.sql.ts'
import { type EndpointKey, isEndpoint } from './endpoint.sql.ts'

/** True if selectTenantsBehind would find a tenant. */
export const areTenantsBehind = sql`
  exists (select from cell.webhook_cursor join cell.event_head on event_head.tenant_id = webhook_cursor.tenant_id
          where event_head.last_sequence > webhook_cursor.sequence)
  or exists (select from cell.webhook_endpoint where resend_done < resend_until)`

/** Returns tenants of a cell with events to fan out or a resend in progress. Runs with the worker's role. */
export async function selectTenantsBehind(cell: pg.Pool, limit: number): Promise<string[]> {
  const { rows } = await cell.query<{ tenantId: string }>({
    name: 'webhook-tenants-behind',
    text: `select webhook_cursor.tenant_id as "tenantId"
           from cell.webhook_cursor join cell.event_head on event_head.tenant_id = webhook_cursor.tenant_id
           where event_head.last_sequence > webhook_cursor.sequence
           union
           select tenant_id from cell.webhook_endpoint where resend_done < resend_until
           limit $1`,
    values: [limit],
  })
  return rows.map(({ tenantId }) => tenantId)
}

/** Returns endpoints whose delivery job is lost. Runs with the worker's role. */
export async function selectLostJobs(cell: pg.Pool, limit: number): Promise<EndpointKey[]> {
  const { rows } = await cell.query<EndpointKey>({
    name: 'webhook-lost-jobs',
    text: `select tenant_id as "tenantId", id as "endpointId" from cell.webhook_endpoint
           where has_job and job_due_at < now() - $1::interval limit $2`,
    values: [jobLostAfter, limit],
  })
  return rows
}

/** Returns the last sequence number that was fanned out; undefined while another transaction has the lock. */
export async function lockFanOutCursor(tx: Transaction, tenantId: string): Promise<number | undefined> {
  const cursor = await tx.row<{ sequence: string }>(sql`
    select sequence from cell.webhook_cursor where tenant_id = ${tenantId} for update skip locked`)
  return cursor && Number(cursor.sequence)
}

export async function advanceWebhookCursor(tx: Transaction, tenantId: string, sequence: number): Promise<void> {
  await tx.rows(sql`update cell.webhook_cursor set sequence = ${sequence} where tenant_id = ${tenantId}`)
}

/** Returns the sequence number of the nth event in a range; undefined if there are fewer. */
export async function selectSequenceOfNth(
  tx: Transaction,
  tenantId: string,
  { after, until, nth }: { after: number; until: number; nth: number },
): Promise<number | undefined> {
  const found = await tx.row<{ sequence: string }>(sql`
    select sequence from cell.event
    where tenant_id = ${tenantId} and sequence > ${after}::bigint and sequence <= ${until}::bigint
    order by sequence offset ${nth - 1}::bigint limit 1`)
  return found && Number(found.sequence)
}

/** Inserts a delivery for every endpoint that subscribes to the event. Returns the endpoints that got one. */
export async function insertDeliveries(
  tx: Transaction,
  tenantId: string,
  { after, until }: { after: number; until: number },
): Promise<string[]> {
  const rows = await tx.rows<{ endpointId: string }>(sql`
    with inserted as (
      insert into cell.webhook_delivery (tenant_id, endpoint_id, event_id, day, sequence, type, due_at, created_at)
      select event.tenant_id, endpoint.id, event.id, event.day, event.sequence, event.type, now(), now()
      from cell.event
      join cell.webhook_endpoint endpoint
        on endpoint.tenant_id = event.tenant_id and endpoint.disabled_at is null
        and event.sequence > endpoint.after_sequence and (endpoint.types is null or event.type = any(endpoint.types))
      where event.tenant_id = ${tenantId} and event.sequence > ${after}::bigint and event.sequence <= ${until}::bigint
        and event.scope is distinct from 'operator'
      returning endpoint_id
    )
    select distinct endpoint_id as "endpointId" from inserted`)
  return rows.map(({ endpointId }) => endpointId)
}

export interface Resend {
  endpointId: string
  done: string
  until: string
}

/** Locks the endpoints with a resend in progress. */
export function lockResends(tx: Transaction, tenantId: string): Promise<Resend[]> {
  return tx.rows<Resend>(sql`
    select id as "endpointId", resend_done as done, resend_until as until from cell.webhook_endpoint
    where tenant_id = ${tenantId} and resend_done < resend_until and disabled_at is null
    order by id for no key update`)
}

/** Inserts a delivery for each event that the endpoint subscribes to, or restarts the schedule of the existing one. */
export async function requeueEvents(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  { after, until }: { after: number; until: number },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.webhook_delivery (tenant_id, endpoint_id, event_id, day, sequence, type, due_at, created_at)
    select event.tenant_id, endpoint.id, event.id, event.day, event.sequence, event.type, now(), now()
    from cell.event
    join cell.webhook_endpoint endpoint
      on endpoint.tenant_id = event.tenant_id and endpoint.id = ${endpointId}
      and (endpoint.types is null or event.type = any(endpoint.types))
    where event.tenant_id = ${tenantId} and event.sequence > ${after}::bigint and event.sequence <= ${until}::bigint
      and event.scope is distinct from 'operator'
    on conflict (tenant_id, endpoint_id, event_id, day)
    do update set state = 'PENDING', attempts_since_queued = 0, due_at = now()`)
  await tx.rows(
    sql`update cell.webhook_endpoint set resend_done = ${until} where ${isEndpoint({ tenantId, endpointId })}`,
  )
}

/** Returns the sequence number before the first event since a time; infinity if there is no such event. */
export async function selectSequenceBefore(tx: Transaction, tenantId: string, since: Date): Promise<number> {
  // An event gets its day when it is numbered, after it happened, so events since then have the same day or a later
  // one.
  const found = await tx.row<{ first: string | null }>(sql`
    select min(sequence) as first from cell.event
    where tenant_id = ${tenantId} and day >= (${since}::timestamptz at time zone 'utc')::date
      and created_at >= ${since}::timestamptz`)
  return found?.first ? Number(found.first) - 1 : Number.POSITIVE_INFINITY
}

export async function startResend(
  tx: Transaction,
  key: EndpointKey,
  { since, after, until }: { since: Date; after: number; until: number },
): Promise<void> {
  await tx.rows(sql`
    update cell.webhook_endpoint
    set resend_since = ${since}, resend_after = ${after}, resend_done = ${after}, resend_until = ${until}
    where ${isEndpoint(key)}`)
}
