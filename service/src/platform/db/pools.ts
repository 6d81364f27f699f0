import pg from 'pg'
import type { Config } from '../base/config.ts'
import { type Logger, OwnError } from '../base/log.ts'

type Role = 'investor_token_app' | 'investor_token_worker'

/** Every database of the installation as this process sees it: one pool for each, whether directory, cell or both. */
export interface Databases {
  readonly directory: pg.Pool
  readonly cells: ReadonlyMap<string, pg.Pool>
  end(): Promise<void>
}

export function openDatabases(config: Config, log: Logger): Databases {
  const cellOfUrl = new Map([...config.cells].map(([name, url]) => [url, name]))
  const pools = new Map<string, pg.Pool>()
  const poolAt = (url: string): pg.Pool => {
    const known =
      pools.get(url) ?? createPool({ url, role: 'investor_token_app', cell: cellOfUrl.get(url) }, config, log)
    pools.set(url, known)
    return known
  }
  return {
    directory: poolAt(config.databaseUrl),
    cells: new Map([...config.cells].map(([name, url]) => [name, poolAt(url)])),
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

// A date stays the text it is: pg would make a local Date of it and shift the day.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

// No write may hold a lock, and with it an idempotency key, for a minute: these three bound it far below that.
const bounds = '-c lock_timeout=5s -c statement_timeout=10s -c idle_in_transaction_session_timeout=15s'

/** A pool whose every connection takes the role as it starts and is looked at before its first use. */
export function createPool(
  { url, role, cell }: { url: string; role: Role; cell: string | undefined },
  config: Pick<Config, 'environment' | 'databasePoolMax'>,
  log: Logger,
): pg.Pool {
  const options: pg.PoolConfig & { pipeline: boolean; onConnect: (client: pg.Client) => Promise<void> } = {
    connectionString: url,
    max: config.databasePoolMax,
    options: `-c role=${role} ${bounds}`,
    application_name: 'investor-token',
    connectionTimeoutMillis: 2_000,
    // The server's own bounds do not help when the server is frozen or the network is gone.
    query_timeout: 15_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements are sent without waiting for the answer to the one before. The job queue does not expect that.
    pipeline: role === 'investor_token_app',
    onConnect: async (client) => {
      if (config.environment !== 'development') await refusePowerfulLogin(client)
      if (cell) await refuseOtherCell(client, cell)
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

/** The settings and the databases contradict each other. Nothing is served from such a connection. */
class WrongDatabase extends OwnError {
  override readonly name = 'WrongDatabase'
}

/** A login that may leave the role would make row-level security a habit and not a wall. Development may be root. */
async function refusePowerfulLogin(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ powerful: boolean }>(`
    select rolsuper or rolbypassrls or exists (
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relowner = pg_roles.oid and nspname in ('directory', 'cell')
    ) as powerful
    from pg_roles where rolname = session_user`)
  if (rows[0]?.powerful !== false)
    throw new WrongDatabase(
      'The database login is a superuser, bypasses row-level security or owns tables: use a plain one.',
    )
}

/** Two cells' addresses swapped in the settings must not send one tenant's rows into another's cell. */
async function refuseOtherCell(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from cell.identity')
  if (rows[0]?.name !== cell)
    throw new WrongDatabase(
      `CELLS says this database is cell ${cell}, but it is cell ${rows[0]?.name ?? 'without a name'}.`,
    )
}
