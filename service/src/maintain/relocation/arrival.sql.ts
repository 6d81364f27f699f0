/** Changes in the two cells when the tenant leaves one and arrives in the other, besides its replicated rows. */
import type pg from 'pg'

/** Makes the cell refuse every transaction of the tenant from now on. The caller has locked out writes. */
export async function setLeaving(client: pg.Client, tenantId: string, epoch: bigint): Promise<void> {
  const { rowCount } = await client.query(
    `update cell.residence set state = 'leaving' where tenant_id = $1 and epoch = $2 and state in ('here', 'leaving')`,
    [tenantId, String(epoch)],
  )
  if (rowCount !== 1) throw new Error('the residence of the tenant has changed during the move')
}

/** Undoes setLeaving, even while its commit is still under way: the condition is true before and after it. */
export async function setStaying(client: pg.Client, tenantId: string, epoch: bigint): Promise<void> {
  await client.query(
    `update cell.residence set state = 'here' where tenant_id = $1 and epoch = $2 and state <> 'left'`,
    [tenantId, String(epoch)],
  )
}

export async function setLeft(client: pg.Client, tenantId: string, epoch: bigint): Promise<void> {
  await client.query(`update cell.residence set state = 'left' where tenant_id = $1 and epoch = $2`, [
    tenantId,
    String(epoch),
  ])
}

export async function setHere(client: pg.Client, tenantId: string, epoch: bigint): Promise<void> {
  await client.query(
    `insert into cell.residence (tenant_id, epoch, state) values ($1, $2, 'here')
     on conflict (tenant_id) do update set epoch = excluded.epoch, state = 'here'`,
    [tenantId, String(epoch)],
  )
}

/** Returns the end of the cell's log. Everything that was replicated to the cell comes before it. */
export async function findLogEnd(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
  return rows[0]?.lsn ?? ''
}

export interface WaitingJob {
  readonly id: string
  readonly spec: string
}

/**
 * Selects the jobs of the tenant, including running ones: their worker may die. Locks them, because a directory in the
 * same database may be replacing one.
 */
export async function selectJobs(client: pg.Client, tenantId: string): Promise<WaitingJob[]> {
  const { rows } = await client.query<WaitingJob>(
    `select job.id, json_build_object(
       'identifier', task.identifier, 'payload', job.payload, 'queue_name', queue.queue_name, 'run_at', job.run_at,
       'max_attempts', job.max_attempts, 'job_key', job.key, 'priority', job.priority, 'flags', job.flags
     )::text as spec
     from graphile_worker._private_jobs job
     join graphile_worker._private_tasks task on task.id = job.task_id
     left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
     where job.payload ->> 'tenant_id' = $1 and job.attempts < job.max_attempts
     order by job.id for update of job`,
    [tenantId],
  )
  return rows
}

/** Inserts the jobs with reset attempts: earlier ones may have failed because the tenant was leaving. */
export async function insertJobs(client: pg.Client, jobs: readonly WaitingJob[]): Promise<void> {
  await client.query(
    `select graphile_worker.add_job(
       spec ->> 'identifier', spec -> 'payload', spec ->> 'queue_name', (spec ->> 'run_at')::timestamptz,
       (spec ->> 'max_attempts')::integer, spec ->> 'job_key', (spec ->> 'priority')::integer,
       (select array_agg(flag) from json_object_keys(nullif(spec ->> 'flags', '')::json) flag)
     ) from unnest($1::json[]) spec`,
    [jobs.map(({ spec }) => spec)],
  )
}

/** Deletes the jobs, except running ones: their worker finds the tenant in the other cell. */
export async function deleteJobs(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs where id = any ($1::bigint[]) and locked_at is null', [
    ids,
  ])
}

interface TokenProgress {
  readonly chain: string
  readonly token: string
  readonly desk: string
  readonly backfilledTo: string
}

/** Returns the block up to which the logs of each token of the tenant are complete and applied. */
export async function selectTokenProgress(client: pg.Client, tenantId: string): Promise<TokenProgress[]> {
  const { rows } = await client.query<TokenProgress>(
    `select indexed_token.chain, token_address as token, desk_address as desk,
            case when is_backfilled then chain_cursor.finalized_number else backfilled_to end as "backfilledTo"
     from cell.indexed_token join cell.chain_cursor on chain_cursor.chain = indexed_token.chain
     where exists (
       select from cell.offering where tenant_id = $1 and blockchain = indexed_token.chain
         and lower(offering.token_address) = indexed_token.token_address
     )`,
    [tenantId],
  )
  return rows
}

/** Stores the tokens' progress. The indexer reads each from there to its cursor, then together with all others. */
export async function upsertTokenProgress(client: pg.Client, tokens: readonly TokenProgress[]): Promise<void> {
  await client.query(
    `insert into cell.indexed_token (chain, token_address, desk_address, backfilled_to, is_backfilled)
     select chain, token, desk, backfilled_to, false
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) progress (chain, token, desk, backfilled_to)
     on conflict (chain, token_address, desk_address)
     do update set backfilled_to = excluded.backfilled_to, is_backfilled = false`,
    [
      tokens.map(({ chain }) => chain),
      tokens.map(({ token }) => token),
      tokens.map(({ desk }) => desk),
      tokens.map(({ backfilledTo }) => backfilledTo),
    ],
  )
}

/** Creates missing partitions: a row in the default one would later be deleted instead of dropped with its day. */
export async function createPartitions(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows: wanted } = await source.query<{ parent: string; day: string }>(
    `select parent.relname as parent, substring(child.relname from '\\d{8}$') as day
     from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
     where child.relname ~ '_\\d{8}$' and child.relnamespace = 'cell'::regnamespace and child.relkind = 'r'`,
  )
  const { rows: missing } = await target.query<{ parent: string; day: string; owner: string }>(
    `select parent, day, quote_ident(rolname) as owner
     from unnest($1::text[], $2::text[]) wanted (parent, day)
     join pg_class on pg_class.oid = ('cell.' || parent)::regclass join pg_roles on pg_roles.oid = relowner
     where to_regclass('cell.' || parent || '_' || day) is null`,
    [wanted.map(({ parent }) => parent), wanted.map(({ day }) => day)],
  )
  for (const { parent, day, owner } of missing) {
    const { rowCount } = await target.query(`select from cell.${parent}_default where day = $1 limit 1`, [day])
    if (rowCount !== 0) continue
    const name = `cell.${parent}_${day}`
    await target.query(
      `create table ${name} partition of cell.${parent} for values from ('${day}') to (('${day}'::date + 1));
       alter table ${name} owner to ${owner}`,
    )
  }
}
