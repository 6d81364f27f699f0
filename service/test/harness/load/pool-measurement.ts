import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { LocalPostgres } from '../../../src/dev/local-postgres.ts'
import { migrate } from '../../../src/maintain/migrate/migrate.ts'
import { addressOf } from '../../../src/platform/postgres/cell-address.ts'
import { asOwner, ownerRows, redisUrl } from '../installation/database.ts'
import { freePort, type RunningProcess, startProcess } from '../installation/process.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { until } from '../wait.ts'

export interface PoolSettings {
  readonly cells: number
  readonly workers: number
  readonly apis: number
  readonly seconds: number
  readonly cellsPerProcessMax: number
}

export interface MeasuredCell {
  readonly cell: string
  readonly connections: number
  readonly transactionsPerSecond: number
}

/**
 * A server with one directory and many empty cells, which the directory lists; workers that lease the cells, and APIs
 * that are probed, with the settings of production. Measures the cost of an idle cell.
 */
export class PoolMeasurement {
  readonly installation: TestInstallation
  readonly workers: RunningProcess[] = []
  readonly #postgres: LocalPostgres
  readonly #folder: string
  readonly #settings: PoolSettings

  private constructor(postgres: LocalPostgres, folder: string, settings: PoolSettings) {
    this.#postgres = postgres
    this.#folder = folder
    this.#settings = settings
    this.installation = new TestInstallation({
      DATABASE_URL: urlOf(postgres, 'directory'),
      REDIS_URL: redisUrl,
      IDLE_POLL_MS: '1000',
      DATABASE_POOL_MAX: '10',
      CELLS_PER_PROCESS_MAX: String(settings.cellsPerProcessMax),
    })
  }

  static async create(settings: PoolSettings, report: (line: string) => void): Promise<PoolMeasurement> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-pools-'))
    await chmod(folder, 0o755)
    // Autovacuum would count as transactions of the service.
    const server = { max_connections: '2000', shared_buffers: '256MB', autovacuum: 'off', fsync: 'off' }
    const postgres = await LocalPostgres.open(join(folder, 'data'), { settings: server })
    report(`Creating ${settings.cells} cells …`)
    const measurement = new PoolMeasurement(postgres, folder, settings)
    try {
      await createCells(postgres, settings.cells)
      return measurement
    } catch (error) {
      await measurement.end()
      throw error
    }
  }

  async start(): Promise<void> {
    const starting = Array.from({ length: this.#settings.workers }, () => this.startWorker())
    this.workers.push(...(await Promise.all(starting)))
    for (let index = 0; index < this.#settings.apis; index += 1) {
      const api = await this.installation.startApiProcess()
      this.#probing.push(setInterval(() => void fetch(`${api.baseUrl}/readyz`).catch(() => undefined), 1_000))
    }
  }
  readonly #probing: NodeJS.Timeout[] = []

  async startWorker(): Promise<RunningProcess> {
    const worker = startProcess('worker', { ...this.installation.settings, METRICS_PORT: String(await freePort()) })
    await worker.logged('started', 300_000)
    return worker
  }

  /** Returns the number of workers that have leased each cell. */
  async leases(): Promise<number[]> {
    const rows = await ownerRows<{ count: number }>(
      this.installation.config.databaseUrl,
      `select count(process)::int as count from directory.cell
         left join (directory.cell_lease join directory.cell_process using (kind, process))
           on cell_lease.cell = cell.name and expires_at > now()
         group by cell.name`,
    )
    return rows.map(({ count }) => count)
  }

  async untilLeased(workersPerCell: number, withinMs = 180_000): Promise<void> {
    await until(
      `each cell has ${workersPerCell} workers`,
      async () => (await this.leases()).every((count) => count === workersPerCell),
      withinMs,
    )
  }

  /** Measures the load of each cell during some seconds without any request. */
  async measure(): Promise<MeasuredCell[]> {
    return asOwner(urlOf(this.#postgres, 'postgres'), async (client) => {
      const before = await statisticsOf(client)
      const startedAt = performance.now()
      await sleep(this.#settings.seconds * 1_000)
      const after = await statisticsOf(client)
      const seconds = (performance.now() - startedAt) / 1_000
      return [...after].map(([cell, { transactions, connections }]) => ({
        cell,
        connections,
        transactionsPerSecond: (transactions - (before.get(cell)?.transactions ?? 0)) / seconds,
      }))
    })
  }

  async end(): Promise<void> {
    for (const timer of this.#probing) clearInterval(timer)
    await Promise.all(this.workers.map((worker) => worker.kill()))
    await this.installation.end()
    await this.#postgres.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function createCells(postgres: LocalPostgres, count: number): Promise<void> {
  const first = urlOf(postgres, 'cell_1')
  await ownerRows(urlOf(postgres, 'postgres'), 'create database directory')
  await ownerRows(urlOf(postgres, 'postgres'), 'create database cell_1')
  await migrate({ ownerDatabaseUrl: urlOf(postgres, 'directory'), ownerCells: new Map([['cell-1', first]]) }, () => {})
  for (let index = 2; index <= count; index += 1) {
    const name = `cell_${index}`
    await ownerRows(urlOf(postgres, 'postgres'), `create database ${name} template cell_1`)
    await ownerRows(urlOf(postgres, name), 'update cell.identity set name = $1', [`cell-${index}`])
    await ownerRows(urlOf(postgres, 'directory'), 'insert into directory.cell (name, address) values ($1, $2)', [
      `cell-${index}`,
      addressOf(urlOf(postgres, name)),
    ])
  }
}

async function statisticsOf(client: pg.Client): Promise<Map<string, { connections: number; transactions: number }>> {
  const { rows } = await client.query<{ name: string; connections: number; transactions: number }>(
    `select datname as name, numbackends as connections, (xact_commit + xact_rollback)::float8 as transactions
     from pg_stat_database where datname like 'cell\\_%'`,
  )
  return new Map(rows.map(({ name, ...statistics }) => [name, statistics]))
}

function urlOf(postgres: LocalPostgres, database: string): string {
  const url = new URL(postgres.url)
  url.pathname = `/${database}`
  return url.href
}
