import type pg from 'pg'
import { createLogger } from '../../../src/platform/base/log.ts'
import { createPool } from '../../../src/platform/postgres/pools.ts'
import { type Identity, inTransaction } from '../../../src/platform/postgres/run-transaction.ts'
import { sql } from '../../../src/platform/postgres/sql.ts'
import type { Transaction } from '../../../src/platform/postgres/transaction.ts'
import { endWithLanes, lanesOf, ReadLanes } from '../../../src/platform/postgres/wire/read-lanes.ts'
import { until } from '../wait.ts'
import type { TestInstallation } from './test-installation.ts'

interface LaneOptions {
  readonly max: number
  /** Makes every read that does not succeed in a lane fail with the message `not in a lane`. */
  readonly isAlone?: boolean
  /** Address for lanes, if it differs from that of the pool. */
  readonly url?: string
}

const log = createLogger('silent', 'test')

/** Pools with lanes to the database of an installation, as in the API. */
export class LanePools {
  readonly #installation: TestInstallation
  readonly #pools: pg.Pool[] = []

  constructor(installation: TestInstallation) {
    this.#installation = installation
  }

  open({ max, isAlone = false, url = this.#installation.config.databaseUrl }: LaneOptions): pg.Pool {
    const config = { ...this.#installation.config, databaseWire: 'own' as const }
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

/** Waits until a lane serves reads, since the first read only opens it. Returns its process in PostgreSQL. */
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
