import type pg from 'pg'
import { sql } from '../../platform/postgres/sql.ts'

/** True if events of a cell have no number yet. */
export const areEventsUnnumbered = sql`exists (select from cell.event_outbox)`

/**
 * Numbers up to `batchSize` events of a cell in insertion order, without gaps per tenant, adds to the sums of their
 * offerings, and returns how many events there were. A single statement does it all, so a process that dies in between
 * has changed nothing, and each event counts once.
 */
export async function numberEventBatch(pool: pg.Pool | pg.Client, batchSize: number): Promise<number> {
  const { rowCount } = await pool.query({ name: 'number-events', text: statementOfCell, values: [batchSize] })
  return rowCount ?? 0
}

/**
 * Numbers the events of one tenant that workers no longer see, because it is leaving the cell. Waits for a worker that
 * is numbering; the caller's transaction then has the lock until it ends.
 */
export async function numberEventsOfTenant(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('cell.event_outbox', 0))`)
  await client.query(statementOfTenant, [null, tenantId])
}

// The advisory lock lets one process per cell number events at a time; `materialized` makes it the first step of the
// statement, taken once. Without the lock, two processes would still leave no gaps, but a later event could get a lower
// number than one that was already visible.
const statementFor = (condition: string) => `
  with lock as materialized (
    select pg_try_advisory_xact_lock(hashtextextended('cell.event_outbox', 0)) as is_locked
  ), taken as (
    delete from cell.event_outbox
    using (
      select tenant_id, id from cell.event_outbox where (select is_locked from lock) ${condition}
      order by insertion limit $1
    ) oldest
    where event_outbox.tenant_id = oldest.tenant_id and event_outbox.id = oldest.id
    returning event_outbox.*
  ), counted as (
    insert into cell.event_head (tenant_id, last_sequence)
    select tenant_id, count(*) from taken group by tenant_id
    on conflict (tenant_id) do update set last_sequence = event_head.last_sequence + excluded.last_sequence
    returning tenant_id, last_sequence
  ), numbered as (
    select taken.*, counted.last_sequence - count(*) over by_tenant
           + row_number() over (partition by taken.tenant_id order by taken.insertion) as sequence
    from taken join counted on counted.tenant_id = taken.tenant_id
    window by_tenant as (partition by taken.tenant_id)
  ), added as materialized (
    select taken.tenant_id, taken.offering_id, (taken.created_at at time zone 'utc')::date as day,
           measure.name as measure, sum(measure.amount::numeric) as amount
    from taken cross join lateral jsonb_each_text(taken.sums) measure (name, amount)
    where taken.offering_id is not null
    group by 1, 2, 3, 4
  ), added_by_day as (
    insert into cell.daily_sum as stored (tenant_id, offering_id, day, measure, amount)
    select tenant_id, offering_id, day, measure, amount from added
    on conflict (tenant_id, offering_id, day, measure) do update set amount = stored.amount + excluded.amount
  ), added_in_total as (
    insert into cell.offering_sum as stored (tenant_id, offering_id, measure, amount)
    select tenant_id, offering_id, measure, sum(amount) from added group by 1, 2, 3
    on conflict (tenant_id, offering_id, measure) do update set amount = stored.amount + excluded.amount
  )
  insert into cell.event (tenant_id, sequence, day, id, type, scope, client_id, version, data, offering_id, sums,
                          created_at)
  select tenant_id, sequence, (now() at time zone 'utc')::date, id, type, scope, client_id, version, data, offering_id,
         sums, created_at
  from numbered`
const statementOfCell = statementFor('')
const statementOfTenant = statementFor('and tenant_id = $2')
