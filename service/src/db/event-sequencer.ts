import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type Repetition, repeat } from '../base/repeat.ts'

const pauseMs = 50
const batchMax = 1_000

/**
 * Gives the events of a cell their numbers, without a gap for each tenant, in the order of their insertion. In one
 * statement: whoever dies in it has done nothing. One process of a cell does it at a time; another one takes over when
 * the lock is free.
 */
export function startSequencer(pool: pg.Pool, log: Logger): Repetition {
  return repeat(pauseMs, async () => {
    try {
      while ((await sequenceEvents(pool)) === batchMax);
    } catch (error) {
      log.warn({ err: error }, 'events could not be numbered; trying again')
    }
  })
}

/** How many got a number. */
export async function sequenceEvents(pool: pg.Pool | pg.Client): Promise<number> {
  const { rowCount } = await pool.query({ name: 'sequence-events', text: statement, values: [batchMax] })
  return rowCount ?? 0
}

// The lock is asked for once, before anything is looked at. Two who number at the same time would still leave no gap,
// but a change that saw another one could get the lower number.
const statement = `
  with turn as materialized (
    select pg_try_advisory_xact_lock(hashtextextended('cell.event_outbox', 0)) as is_mine
  ), taken as (
    delete from cell.event_outbox
    using (
      select tenant_id, id from cell.event_outbox where (select is_mine from turn) order by insertion limit $1
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
