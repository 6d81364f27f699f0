import pg from 'pg'
import type { Config } from '../base/config.ts'
import { LoggableError, type Logger } from '../base/log.ts'
import { type CellRow, selectCells } from './cell.sql.ts'
import { withAddress } from './cell-address.ts'
import { checkConnection, laneSettings, sessionSettings, startupOptions } from './check-connection.ts'
import { checkServer } from './check-server.ts'
import { observePool } from './pool-metrics.ts'
import { probeOf } from './probes.ts'
import { inTransaction } from './run-transaction.ts'
import { leaveToDriver } from './wire/batch.ts'
import { RawClient } from './wire/raw-client.ts'
import { endWithLanes, lanesOf, ReadLanes } from './wire/read-lanes.ts'

type Role = 'investor_token_app' | 'investor_token_worker'

/** The databases of the installation, with one pool per database, whether it is the directory, a cell or both. */
export interface Databases {
  readonly directory: pg.Pool
  /** Changes while the process runs, unless `CELLS` lists the cells. */
  readonly cells: ReadonlyMap<string, pg.Pool>
  /** Reads the cells of the directory. Until the first call, only the cells of the settings are known. */
  refreshCells(): Promise<readonly CellRow[]>
  /** The database of a cell with the login of the job queue. */
  workerUrlOf(cell: string): string
  end(): Promise<void>
}

/** Opens the pools. `max` connections per database, plus some `lanes` for reads and one probe for health checks. */
export function openDatabases(
  config: Config,
  log: Logger,
  {
    max = config.databasePoolMax,
    lanes = 0,
    hasProbe = false,
  }: { max?: number; lanes?: number; hasProbe?: boolean } = {},
): Databases {
  return openPools(config, { directory: config.databaseUrl, cells: config.cells, max, lanes, hasProbe }, log)
}

/** Opens the databases with the logins that own them, for maintenance while no other login can connect. */
export function openOwnerDatabases(config: Config, log: Logger): Databases {
  const { ownerDatabaseUrl: directory, ownerCells: cells } = config
  return openPools(config, { directory, cells, max: 4, isOwner: true }, log)
}

interface PoolOptions {
  readonly lanes?: number
  readonly hasProbe?: boolean
  readonly isOwner?: boolean
}

function openPools(
  config: Config,
  urls: { directory: string; cells: ReadonlyMap<string, string>; max: number } & PoolOptions,
  log: Logger,
): Databases {
  const { max, lanes = 0, hasProbe = false, isOwner = false } = urls
  const addresses = new Map<string, string | null>()
  const readUrlOf = (name: string | undefined) =>
    config.areCellsListed
      ? (config.readCells.get(name ?? '') ?? config.readDatabaseUrl)
      : withAddress(config.readDatabaseUrl, addresses.get(name ?? '') ?? null)
  const cellOfUrl = new Map([...urls.cells].map(([name, url]) => [url, name]))
  const pools = new Map<string, pg.Pool>()
  const poolAt = (url: string, name = cellOfUrl.get(url)): pg.Pool => {
    // Unless CELLS says so, only its own rows show which cell the directory's database is.
    const cell = url === urls.directory && !config.areCellsListed ? undefined : name
    const login = { role: 'investor_token_app', cell, isOwner, database: name } as const
    const known = pools.get(url)
    if (known) return known
    const pool = createPool({ ...login, url, max }, config, log)
    pools.set(url, pool)
    if (hasProbe) probeOf.set(pool, createPool({ ...login, url, max: 1, purpose: 'probe' }, config, log))
    if (lanes > 0) {
      const readPool = createPool({ ...login, url: readUrlOf(name), max: lanes, purpose: 'lanes' }, config, log)
      lanesOf.set(pool, new ReadLanes(readPool, name ?? 'directory', log))
    }
    return pool
  }
  const directory = poolAt(urls.directory)
  const cells = new Map([...urls.cells].map(([name, url]) => [name, poolAt(url)]))
  const refresh = async () => {
    const rows = await inTransaction(directory, { access: 'read', identity: {} }, selectCells)
    if (config.areCellsListed || rows.length === 0) return rows
    for (const { name, address } of rows) addresses.set(name, address)
    const known = new Map(rows.map(({ name, address }) => [name, withAddress(urls.directory, address)]))
    for (const [name, url] of known) cells.set(name, poolAt(url, name))
    // A cell that the directory no longer lists has no tenants. Its pool closes its connections when they are idle.
    for (const name of cells.keys()) if (!known.has(name)) cells.delete(name)
    return rows
  }
  let refreshing: Promise<readonly CellRow[]> | undefined
  return {
    directory,
    cells,
    workerUrlOf: (cell) =>
      config.areCellsListed
        ? (config.workerCells.get(cell) ?? config.workerDatabaseUrl)
        : withAddress(config.workerDatabaseUrl, addresses.get(cell) ?? null),
    // One query for all requests that wait for it.
    refreshCells: () => {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
    end: async () => {
      await Promise.all([...pools.values()].map(endWithProbe))
    },
  }
}

async function endWithProbe(pool: pg.Pool): Promise<void> {
  await endWithLanes(pool)
  await probeOf.get(pool)?.end()
}

// Keep dates as text: pg would convert them to a Date in local time, which can shift the day.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** Detects within half a minute that the server has disappeared. By default, that takes more than two hours. */
export const tcpKeepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

interface NewPool {
  readonly url: string
  readonly role: Role
  /** The name that the database must have in `cell.identity`; any other is rejected. */
  readonly cell: string | undefined
  /** The database's name in metrics; by default the cell's name. */
  readonly database?: string | undefined
  /** Connections; by default DATABASE_POOL_MAX. */
  readonly max?: number
  /** The pool's name in metrics; by default its role. The connections of lanes have other settings. */
  readonly purpose?: 'lanes' | 'probe' | 'webhooks'
  /** The login owns the tables, for maintenance; the service rejects such a login. */
  readonly isOwner?: boolean
}

type PoolSettings = Pick<
  Config,
  'environment' | 'databasePoolMax' | 'databaseConnectTimeoutSeconds' | 'databaseLockTimeoutSeconds'
> &
  Partial<Pick<Config, 'databaseWire'>>

const purposes: Readonly<Record<Role, string>> = { investor_token_app: 'app', investor_token_worker: 'worker' }

/** Creates a pool. Each connection starts with the given role; role, server, login and cell are checked before use. */
export function createPool(
  { url, role, cell, database, max, purpose, isOwner }: NewPool,
  config: PoolSettings,
  log: Logger,
): pg.Pool {
  const lockSeconds = config.databaseLockTimeoutSeconds
  const isLane = purpose === 'lanes'
  const hasOwnWire = config.databaseWire !== 'driver'
  const settings = isLane ? laneSettings(role) : sessionSettings(role, lockSeconds)
  const options: pg.PoolConfig & { pipeline: boolean; onConnect: (client: pg.Client) => Promise<void> } = {
    connectionString: url,
    max: max ?? config.databasePoolMax,
    options: startupOptions(settings),
    application_name: 'investor-token',
    connectionTimeoutMillis: config.databaseConnectTimeoutSeconds * 1_000,
    // The server's timeouts do not help if the server itself is frozen or unreachable.
    query_timeout: isLane ? laneMsMax : purpose === 'probe' ? probeMsMax : lockSeconds * 3_000,
    idleTimeoutMillis: 30_000,
    ...tcpKeepAlive,
    // Sends statements without waiting for the previous response. The job queue library does not support that.
    pipeline: role === 'investor_token_app',
    ...(role === 'investor_token_app' && hasOwnWire ? { Client: RawClient } : {}),
    onConnect: async (client) => {
      if (!hasOwnWire) leaveToDriver(client)
      await checkConnection(client, settings)
      await checkServer(client)
      if (config.environment !== 'development' && !isOwner) await rejectPrivilegedLogin(client, role)
      if (cell) await rejectWrongCell(client, cell)
    },
  }
  const pool = new pg.Pool(options)
  observePool(pool, { database: database ?? cell ?? 'directory', pool: purpose ?? purposes[role] })
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
  })
  return pool
}

// Far longer than a statement may take there. Reads of a frozen server are repeated on the pool, which reports it.
const laneMsMax = 5_000

// A check counts as failed after a second. Its connection is then replaced, because the next one would wait behind it.
const probeMsMax = 2_000

/** Creates a pool with the login that owns the tables, for maintenance that reads all rows of a tenant. */
export function createOwnerPool(url: string): pg.Pool {
  const options: pg.PoolConfig & { pipeline: boolean; onConnect: (client: pg.Client) => Promise<void> } = {
    connectionString: url,
    max: 1,
    options: '-c lock_timeout=5s -c statement_timeout=10min -c idle_in_transaction_session_timeout=15s',
    application_name: 'investor-token maintain',
    connectionTimeoutMillis: 5_000,
    ...tcpKeepAlive,
    pipeline: true,
    onConnect: checkServer,
  }
  return new pg.Pool(options)
}

/** The settings do not match the database, so the connection must not be used. */
class WrongDatabase extends LoggableError {
  override readonly name = 'WrongDatabase'
}

/**
 * A statement can reset the role or set another one, so the login must be able to do no more than its role. It must not
 * become a privileged role or the other role of the service, and must have no privilege without a role. Development may
 * use a superuser.
 */
async function rejectPrivilegedLogin(client: pg.Client, role: Role): Promise<void> {
  const { rows } = await client.query<Record<'isPrivileged' | 'hasOtherRole' | 'inherits', boolean>>(
    `select exists (
       select from pg_roles where pg_has_role(session_user, oid, 'member') and (
         rolsuper or rolbypassrls or rolname in ('pg_read_all_data', 'pg_write_all_data') or exists (
           select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
           where relowner = pg_roles.oid and nspname in ('base', 'directory', 'cell')
         )
       )
     ) as "isPrivileged",
     pg_has_role(session_user, $1, 'member') as "hasOtherRole",
     pg_has_role(session_user, $2, 'usage') as "inherits"`,
    [role === 'investor_token_app' ? 'investor_token_worker' : 'investor_token_app', role],
  )
  const [login] = rows
  if (login?.isPrivileged !== false)
    throw new WrongDatabase(
      'The database login is a superuser, bypasses row-level security or owns tables: use an unprivileged login.',
    )
  if (login.hasOtherRole)
    throw new WrongDatabase(
      `The database login may use both roles of the service: use a login with ${role} only (DATABASE_URL, CELLS: ` +
        'investor_token_app; WORKER_DATABASE_URL, WORKER_CELLS: investor_token_worker).',
    )
  if (login.inherits)
    throw new WrongDatabase(`The database login inherits ${role}: create it with noinherit, then grant the role again.`)
}

/** Keeps tenants' rows out of the wrong cell if the URLs of two cells are swapped in the settings. */
async function rejectWrongCell(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from cell.identity')
  if (rows[0]?.name !== cell)
    throw new WrongDatabase(
      `CELLS or directory.cell lists this database as cell ${cell}, but it is ` +
        `${rows[0] ? `cell ${rows[0].name}` : 'not a named cell'}.`,
    )
}
