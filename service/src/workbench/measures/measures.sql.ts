import type pg from 'pg'

/** One value of a gauge. Labels that a gauge does not have are null. */
export interface Measured {
  name: string
  chain: string | null
  state: string | null
  value: number
}

/**
 * Measures everything in a cell, in one statement that reads indexes of open work only: finished work does not make it
 * slower. Runs with the worker's role, which sees states and times of all tenants.
 */
export async function selectMeasures(cell: pg.Pool): Promise<Measured[]> {
  const { rows } = await cell.query<Measured>({ name: 'measures', text: measures })
  return rows
}

/** Returns the seconds since a time; 0 if there is none. */
function ageOf(time: string): string {
  return `greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`
}

const measures = `
  select 'tenants_leaving' as name, null as chain, null as state, count(*)::float8 as value
  from cell.residence where residence.state = 'leaving'
  union all
  select 'file_bytes', null, null, coalesce(sum(file_bytes), 0)::float8 from cell.tenant
  union all
  select 'tenants_files_filling', null, null, count(*)::float8
  from cell.tenant where file_bytes >= file_mebibytes_max * 1048576::bigint * 0.8
  union all
  select 'event_outbox_rows', null, null, count(*)::float8 from cell.event_outbox
  union all
  select 'event_outbox_oldest_seconds', null, null, ${ageOf('min(created_at)')} from cell.event_outbox
  union all
  select measure, null, null, case measure when 'webhook_deliveries_waiting' then waiting else oldest end
  from (
    select count(*)::float8 as waiting,
           ${ageOf('min(delivery.due_at) filter (where endpoint.failures = 0)')} as oldest
    from cell.webhook_delivery delivery
    join cell.webhook_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
      and endpoint.id = delivery.endpoint_id and endpoint.disabled_at is null and endpoint.verified_at is not null
    where delivery.state = 'PENDING' and delivery.due_at <= now()
  ) due cross join unnest(array['webhook_deliveries_waiting', 'webhook_delivery_oldest_seconds']) measure
  union all
  select 'webhook_endpoints', null, state, count(id)::float8
  from unnest(array['healthy', 'failing', 'unverified', 'disabled']) state
  left join (
    select id, case when disabled_at is not null then 'disabled' when failures > 0 then 'failing'
                    when verified_at is null then 'unverified' else 'healthy' end as own
    from cell.webhook_endpoint
  ) endpoint on own = state
  group by state
  union all
  select measure, chain, status,
         case measure when 'orders_unminted' then orders else oldest end
  from (
    select offering.blockchain as chain,
           case when mint_hold_reason is null and minting_stopped is null then token_order.status else 'ON_HOLD' end
             as status,
           count(*)::float8 as orders,
           ${ageOf('min(waiting_since)')} as oldest
    from cell.token_order
    join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id
    cross join lateral (
      select case token_order.status when 'PAID' then paid_at else coalesce(ready_at, paid_at) end as waiting_since
    ) waiting
    where token_order.status in ('PAID', 'READYTOMINT', 'MINTING')
    group by 1, 2
  ) unminted cross join unnest(array['orders_unminted', 'orders_unminted_oldest_seconds']) measure
  union all
  select measure, chain, state, case measure when 'chain_ops' then ops else oldest end
  from (
    select chain, state, count(*)::float8 as ops, ${ageOf('min(created_at)')} as oldest from cell.chain_op
    where state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED') group by 1, 2
    union all
    select chain, state, count(*)::float8, ${ageOf('min(changed_at)')} from cell.chain_op
    where (state = 'ALARM' or (state = 'REVERTED' and kind <> 'MINT')) and handled_at is null group by 1, 2
  ) op cross join unnest(array['chain_ops', 'chain_op_oldest_seconds']) measure
  union all
  select measure, chain, null,
         case measure when 'signer_balance_min_ether' then balance when 'signer_nonce_gap_max' then gap else low end
  from (
    select chain_signer.chain, min(balance_wei / 1e18)::float8 as balance,
           max(next_nonce - nonce_latest)::float8 as gap,
           count(*) filter (where gas_low_since is not null)::float8 as low
    from cell.chain_signer join cell.signer_status on signer_status.tenant_id = chain_signer.tenant_id
      and signer_status.chain = chain_signer.chain
    group by 1
  ) signer
  cross join unnest(array['signer_balance_min_ether', 'signer_nonce_gap_max', 'signers_low_on_gas']) measure
  union all
  select 'signer_gas_days_min', signer_status.chain, null, min(balance_wei / daily)::float8
  from cell.signer_status cross join lateral (
    select sum(spent_wei) / 7 as daily from cell.gas_day
    where gas_day.tenant_id = signer_status.tenant_id and gas_day.chain = signer_status.chain
      and day >= (now() at time zone 'utc')::date - 7
  ) spent
  where daily > 0
  group by 2
  union all
  select 'offerings_minting_stopped', null, null, count(*)::float8
  from cell.offering where minting_stopped is not null
  union all
  select 'tokens_unreadable', blockchain, null, count(*)::float8
  from cell.offering where token_unreadable_since is not null group by blockchain
  union all
  select 'reconciliation_oldest_time_seconds', null, null, extract(epoch from min(compared_at))::float8
  from cell.reconciliation having min(compared_at) is not null
  union all
  select 'bank_statement_last_time_seconds', null, null, extract(epoch from max(created_at))::float8
  from cell.bank_statement having max(created_at) is not null
  union all
  select 'bank_statement_silence_seconds', null, null, max(silence)::float8
  from (
    select max(created_at) at time zone 'utc' as last from cell.bank_statement
    where created_at > now() - interval '14 days' group by tenant_id, account
  ) account cross join lateral (
    select coalesce(sum(extract(epoch from
             least(now() at time zone 'utc', day + interval '1 day') - greatest(last, day))), 0) as silence
    from generate_series(date_trunc('day', last), now() at time zone 'utc', interval '1 day') day
    where extract(isodow from day) < 6
  ) bank_days
  having max(silence) is not null
  union all
  select 'bank_statement_unmatched_oldest_seconds', null, null, ${ageOf('min(created_at)')}
  from cell.bank_statement
  where not waits_for_booking and booked_count + unassigned_count + refund_settled_count + refund_failed_count
    + payment_reversed_count + other_count + needs_attention_count + resolved_count < entry_count
  union all
  select 'export_oldest_seconds', null, null, ${ageOf('min(created_at)')} from cell.export where state = 'running'
  union all
  select 'bank_statements_waiting', null, null, count(*)::float8 from cell.bank_statement where waits_for_booking
  union all
  select 'bank_statement_gaps', null, null, count(*)::float8
  from cell.bank_statement where continuity = 'gap' and gap_resolution is null
  union all
  select 'bank_entries_attention', null, null, count(*)::float8
  from cell.bank_entry where state = 'needs_attention'`

/** Measures the requests that wait for a second person, in one database. Runs with the worker's role. */
export async function selectWaitingApprovals(
  database: pg.Pool,
): Promise<{ waiting: number; oldestSeconds: number } | undefined> {
  const { rows } = await database.query<{ waiting: number; oldestSeconds: number }>({
    name: 'waiting-approvals',
    text: `select count(*)::float8 as waiting, ${ageOf('min(proposed_at)')} as "oldestSeconds"
           from base.approval where state = 'pending' and expires_at > now()`,
  })
  return rows[0]
}

export interface MeasuredJobs {
  job: string
  state: JobState
  jobs: number
  oldestSeconds: number
}

/** `failed` jobs have used all their attempts; `retrying` ones have failed four times and will run again. */
export const jobStates = ['ready', 'scheduled', 'running', 'retrying', 'failed'] as const
type JobState = (typeof jobStates)[number]

/** Returns a database's jobs by state, and how long the oldest runs or could have run. Runs with the worker's role. */
export async function selectMeasuredJobs(database: pg.Pool): Promise<MeasuredJobs[]> {
  const { rows } = await database.query<MeasuredJobs>({
    name: 'measured-jobs',
    text: `
      select task.identifier as job,
             case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
                  when attempts >= 4 then 'retrying' when run_at > now() then 'scheduled' else 'ready' end as state,
             count(*)::float8 as jobs, ${ageOf('min(coalesce(locked_at, run_at))')} as "oldestSeconds"
      from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      group by 1, 2`,
  })
  return rows
}

/** Returns the size of tables, indexes and everything else in the database. */
export async function selectDatabaseBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>({
    name: 'database-bytes',
    text: 'select pg_database_size(current_database())::float8 as bytes',
  })
  return rows[0]?.bytes ?? 0
}
