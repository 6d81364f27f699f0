import type pg from 'pg'
import { loop } from '../../platform/jobs/loop.ts'

const batchMax = 1_000

/**
 * Numbers the events of a cell in insertion order, without gaps per tenant. One statement does it all, so a process that
 * dies in it has changed nothing. An advisory lock lets one process per cell do it at a time.
 */
export const numberEvents = loop({
  name: 'number-events',
  everyMs: 50,
  run: async ({ pool }) => {
    while ((await sequenceEvents(pool)) === batchMax);
  },
})

/** Returns how many events were numbered. */
export async function sequenceEvents(pool: pg.Pool | pg.Client): Promise<number> {
  const { rowCount } = await pool.query({ name: 'sequence-events', text: statement, values: [batchMax] })
  return rowCount ?? 0
}

// The lock is asked for once, before anything is looked at. Two who number at the same time would still leave no gap,
// but a change that saw another one could get the lower number.
const statement = `
  with lock as materialized (
    select pg_try_advisory_xact_lock(hashtextextended('cell.event_outbox', 0)) as is_held
  ), taken as (
    delete from cell.event_outbox
    using (
      select tenant_id, id from cell.event_outbox where (select is_held from lock) order by insertion limit $1
    ) oldest
    where event_outbox.tenant_id = oldest.tenant_id and event_outbox.id = oldest.id
    returning event_outbox.*
  ), counted as (
    insert into cell.event_head (tenant_id, last_sequence)
    select tenant_id, count(*) from taken group by tenant_id
    on conflict (tenant_id) do update set last_sequence = event_head.last_sequence + excluded.last_sequence
    returning tenant_id, last_sequence
  ), numbered as (
    select taken.*, counted.last_sequence - count(*) over of_tenant
           + row_number() over (partition by taken.tenant_id order by taken.insertion) as sequence
    from taken join counted on counted.tenant_id = taken.tenant_id
    window of_tenant as (partition by taken.tenant_id)
  )
  insert into cell.event (tenant_id, sequence, day, id, type, scope, client_id, version, data, created_at)
  select tenant_id, sequence, (now() at time zone 'utc')::date, id, type, scope, client_id, version, data, created_at
  from numbered`
