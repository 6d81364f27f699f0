import pg from 'pg'
import type { Config } from '../base/config.ts'
import { LoggableError, type Logger } from '../base/log.ts'
import { checkConnection, startupOptions } from './check-connection.ts'

type Role = 'investor_token_app' | 'investor_token_worker'

/** The databases of the installation, with one pool per database, whether it is the directory, a cell or both. */
export interface Databases {
  readonly directory: pg.Pool
  readonly cells: ReadonlyMap<string, pg.Pool>
  end(): Promise<void>
}

export function openDatabases(config: Config, log: Logger): Databases {
  const cellOfUrl = new Map([...config.cells].map(([name, url]) => [url, name]))
  const pools = new Map<string, pg.Pool>()
  const poolAt = (url: string): pg.Pool => {
    const pool =
      pools.get(url) ?? createPool({ url, role: 'investor_token_app', cell: cellOfUrl.get(url) }, config, log)
    pools.set(url, pool)
    return pool
  }
  return {
    directory: poolAt(config.databaseUrl),
    cells: new Map([...config.cells].map(([name, url]) => [name, poolAt(url)])),
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

// Keep dates as text: pg would convert them to a Date in local time, which can shift the day.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** Detects within half a minute that the server has disappeared. By default, that takes more than two hours. */
export const tcpKeepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Creates a pool. Each new connection starts with the given role; role, login and cell are checked before use. */
export function createPool(
  { url, role, cell }: { url: string; role: Role; cell: string | undefined },
  config: Pick<Config, 'environment' | 'databasePoolMax'>,
  log: Logger,
): pg.Pool {
  const options: pg.PoolConfig & { pipeline: boolean; onConnect: (client: pg.Client) => Promise<void> } = {
    connectionString: url,
    max: config.databasePoolMax,
    options: startupOptions(role),
    application_name: 'investor-token',
    connectionTimeoutMillis: 2_000,
    // The server's timeouts do not help if the server is frozen or unreachable.
    query_timeout: 15_000,
    idleTimeoutMillis: 30_000,
    ...tcpKeepAlive,
    // Send statements without waiting for the previous response. The job queue library does not support that.
    pipeline: role === 'investor_token_app',
    onConnect: async (client) => {
      await checkConnection(client, role)
      if (config.environment !== 'development') await rejectPrivilegedLogin(client)
      if (cell) await rejectWrongCell(client, cell)
    },
  }
  const pool = new pg.Pool(options)
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
  })
  return pool
}

/** The settings do not match the database, so the connection must not be used. */
class WrongDatabase extends LoggableError {
  override readonly name = 'WrongDatabase'
}

/** A privileged login could bypass row-level security by resetting its role. Development may use a superuser. */
async function rejectPrivilegedLogin(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isPrivileged: boolean }>(`
    select rolsuper or rolbypassrls or exists (
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relowner = pg_roles.oid and nspname in ('directory', 'cell')
    ) as "isPrivileged"
    from pg_roles where rolname = session_user`)
  if (rows[0]?.isPrivileged !== false)
    throw new WrongDatabase(
      'The database login is a superuser, bypasses row-level security or owns tables: use an unprivileged login.',
    )
}

/** If two cells' URLs are swapped in the settings, tenants' rows must not end up in the wrong cell. */
async function rejectWrongCell(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from cell.identity')
  if (rows[0]?.name !== cell)
    throw new WrongDatabase(
      `CELLS lists this database as cell ${cell}, but it is ${rows[0] ? `cell ${rows[0].name}` : 'not a named cell'}.`,
    )
}
