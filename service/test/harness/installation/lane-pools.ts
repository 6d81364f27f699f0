import type pg from 'pg'
import { createLogger } from '../../../src/platform/base/log.ts'
import { createPool } from '../../../src/platform/db/pools.ts'
import { endWithLanes, lanesOf, ReadLanes } from '../../../src/platform/db/read-lanes.ts'
import { type Identity, inTransaction } from '../../../src/platform/db/run-transaction.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import type { Transaction } from '../../../src/platform/db/transaction.ts'
import { until } from '../wait.ts'
import type { TestInstallation } from './test-installation.ts'

interface LaneOptions {
  readonly max: number
  /** Every read that does not succeed in a lane fails, with this as its message: `not in a lane`. */
  readonly isAlone?: boolean
  /** Where lanes connect to, if not where the pool does. */
  readonly url?: string
}

const log = createLogger('silent', 'test')

/** Pools with lanes to the database of an installation, as the API has them. */
export class LanePools {
  readonly #installation: TestInstallation
  readonly #pools: pg.Pool[] = []

  constructor(installation: TestInstallation) {
    this.#installation = installation
  }

  open({ max, isAlone = false, url = this.#installation.config.databaseUrl }: LaneOptions): pg.Pool {
    const { config } = this.#installation
    const login = { role: 'investor_token_app', cell: 'main' } as const
    const pool = createPool({ ...login, url: config.databaseUrl, max: 4 }, config, log)
    if (isAlone) pool.connect = (() => Promise.reject(new Error('not in a lane'))) as typeof pool.connect
    this.#pools.push(pool)
    lanesOf.set(pool, new ReadLanes(createPool({ ...login, url, max, purpose: 'lanes' }, config, log), 'main', log))
    return pool
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map(endWithLanes))
  }
}

export function readAs<Result>(
  pool: pg.Pool,
  identity: Identity,
  work: (tx: Transaction) => Promise<Result>,
  epoch?: string,
): Promise<Result> {
  return inTransaction(pool, { access: 'read', identity, epoch }, work)
}

/** Waits until a lane serves reads, since the first read only opens it, and returns its process in PostgreSQL. */
export async function laneOf(pool: pg.Pool, isWanted = (_pid: number) => true): Promise<number> {
  const statement = sql`
    select pg_backend_pid() as pid, current_setting('default_transaction_read_only')::bool as "isLane"`
  let found = 0
  await until('a lane serves a read', async () => {
    const read = readAs(pool, {}, (tx) => tx.row<{ pid: number; isLane: boolean }>(statement))
    const served = await read.catch(() => undefined)
    if (served?.isLane) found = served.pid
    return found !== 0 && isWanted(found)
  })
  return found
}
