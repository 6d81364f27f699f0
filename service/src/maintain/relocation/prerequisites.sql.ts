import type pg from 'pg'

export interface ServerFacts {
  readonly walLevel: string
  readonly standbyNames: string
  readonly slotsFree: number
  readonly sendersFree: number
  readonly workers: number
  readonly isSuperuser: boolean
  readonly mayReplicate: boolean
  readonly bypassesPolicies: boolean
  readonly maySubscribe: boolean
  readonly version: string
}

export async function findServerFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('wal_level') as "walLevel", current_setting('synchronous_standby_names') as "standbyNames",
            current_setting('max_replication_slots')::integer
              - (select count(*)::integer from pg_replication_slots) as "slotsFree",
            current_setting('max_wal_senders')::integer
              - (select count(*)::integer from pg_stat_activity where backend_type = 'walsender') as "sendersFree",
            least(
              current_setting('max_logical_replication_workers')::integer,
              current_setting('max_worker_processes')::integer - 1
            ) as workers,
            rolsuper as "isSuperuser", rolreplication as "mayReplicate", rolbypassrls as "bypassesPolicies",
            exists (
              select from pg_roles subscriber
              where subscriber.rolname = 'pg_create_subscription' and pg_has_role(subscriber.oid, 'usage')
            ) as "maySubscribe",
            current_setting('server_version') as version
     from pg_roles where rolname = current_user`,
  )
  return rows[0] as ServerFacts
}

/** Returns the migrations of the schemas of a cell, in one line. */
export async function findSchemaVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select (select string_agg(name, ' ' order by name) from base.migration) || ' '
       || (select string_agg(name, ' ' order by name) from cell.migration) || ' queue '
       || (select max(id) from graphile_worker.migrations) as version`,
  )
  return rows[0]?.version ?? ''
}

export async function isBeingRestored(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from base.restoration where opened_at is null')
  return rowCount !== 0
}

/** Returns true if the database contains the directory; only that one has this schema. */
export async function isDirectoryDatabase(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_namespace where nspname = 'directory'`)
  return rowCount !== 0
}

export async function findCellName(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>('select name from cell.identity')
  return rows[0]?.name
}

export interface Residence {
  readonly state: 'here' | 'leaving' | 'left'
  readonly epoch: bigint
}

export async function findResidence(client: pg.Client, tenantId: string): Promise<Residence | undefined> {
  const { rows } = await client.query<{ state: Residence['state']; epoch: string }>(
    'select state, epoch from cell.residence where tenant_id = $1',
    [tenantId],
  )
  return rows[0] && { state: rows[0].state, epoch: BigInt(rows[0].epoch) }
}

/** Selects the tenants that are in the cell, including those whose move was interrupted. */
export async function selectResidents(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select tenant_id as id from cell.residence where state in ('here', 'leaving') order by tenant_id`,
  )
  return rows.map(({ id }) => id)
}

/** Finds chain addresses of the tenant that another tenant of the target has: they are unique in a cell. */
export async function findTakenAddresses(source: pg.Client, target: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await source.query<{ kind: string; chain: string; address: string }>(
    `select 'token' as kind, blockchain as chain, lower(token_address) as address from cell.offering
     where tenant_id = $1 and token_address is not null
     union all
     select 'signer', chain, lower(address) from cell.chain_signer where tenant_id = $1 and address is not null`,
    [tenantId],
  )
  const { rows: taken } = await target.query<{ address: string }>(
    `select kind || ' ' || address || ' on ' || chain as address
     from unnest($1::text[], $2::text[], $3::text[]) wanted (kind, chain, address)
     where case kind
       when 'token' then exists (
         select from cell.offering where blockchain = chain and lower(token_address) = wanted.address
       )
       else exists (
         select from cell.chain_signer signer
         where signer.chain = wanted.chain and lower(signer.address) = wanted.address
       )
     end`,
    [rows.map(({ kind }) => kind), rows.map(({ chain }) => chain), rows.map(({ address }) => address)],
  )
  return taken.map(({ address }) => address)
}
