import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type IssuedCredential, issueCredential } from '../../../src/access/credentials/issue-credential.ts'
import { setTenantLimits } from '../../../src/access/tenants/set-tenant-limits.ts'
import type { TenantLimits } from '../../../src/access/tenants/tenant-limits.ts'
import type { Policy } from '../../../src/platform/api/declare/approval.ts'
import { type Scope, scopes } from '../../../src/platform/api/declare/scopes.ts'
import { readConfig } from '../../../src/platform/base/config.ts'
import { createLogger } from '../../../src/platform/base/log.ts'
import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import { inDirectoryTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import { createPool, type Databases, openDatabases } from '../../../src/platform/postgres/pools.ts'
import { numberEventBatch } from '../../../src/records/events/number-events.sql.ts'
import { until } from '../wait.ts'
import { asOwner, createTestDatabase, ownerRows, redisUrl, type TestDatabase } from './database.ts'
import type { Served } from './log-lines.ts'
import type { OperatorApi } from './operator-api.ts'
import { freePort, type Main, type RunningProcess, startProcess } from './process.ts'
import { RunningApi } from './running-api.ts'
import type { ServedInTest } from './serve-in-test.ts'
import { testKeys } from './test-keys.ts'
import { createTestTenant, type NewTenant } from './test-tenants.ts'
import {
  addInvitedUser,
  createSignedInUser,
  createUserWithToken,
  type NewOperator,
  type NewServiceUser,
  type TestOperator,
} from './test-users.ts'

/**
 * A busy test machine delays every event loop, connection and lock, which most tests must tolerate. The pool is small
 * because one PostgreSQL with a hundred connections serves the processes of several tests at once.
 */
const tolerantSettings = {
  LOG_LEVEL: 'info',
  EVENT_LOOP_DELAY_MAX_MS: '60000',
  DATABASE_POOL_MAX: '12',
  DATABASE_CONNECT_TIMEOUT_SECONDS: '30',
  DATABASE_LOCK_TIMEOUT_SECONDS: '15',
  // Tests that force a race send a hundred requests of one caller at once.
  REQUESTS_PER_CELL_MAX: '250',
  ...(process.env['TEST_WIRE'] !== undefined && { DATABASE_WIRE: process.env['TEST_WIRE'] }),
}

/** A new database, the processes that use it, and shortcuts to create tenants, users and credentials. */
export class TestInstallation {
  readonly settings: Record<string, string>
  readonly databases: Databases
  readonly config
  readonly #own: TestDatabase | undefined
  readonly #lender: TestInstallation | undefined
  /** True if it uses the connections and APIs of the lender. */
  readonly #sharesConnections: boolean
  readonly #stops: (() => Promise<unknown>)[] = []
  readonly #borrowed = new Set<Main>()
  readonly #ports: number[] = []
  readonly #servers = new Map<Main, Promise<RunningApi>>()
  readonly #compileCache = join(tmpdir(), `investor-token-compiled-${process.pid}`)
  #operatorApi: Promise<OperatorApi> | undefined

  constructor(settings: Record<string, string>, { own, lender }: Origin = {}) {
    this.settings = { ...testKeys, ...tolerantSettings, ...settings }
    this.#lender = lender
    this.config = readConfig(this.settings)
    this.#sharesConnections = lender !== undefined && haveSameSettings(this, lender)
    this.databases =
      lender && this.#sharesConnections ? lender.databases : openDatabases(this.config, createLogger('silent', 'test'))
    this.#own = own
  }

  static async create(settings: Record<string, string> = {}): Promise<TestInstallation> {
    const database = await createTestDatabase()
    return new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: redisUrl, ...settings }, { own: database })
  }

  /** Lends the database and, with equal settings, connections and APIs. `end` stops only what the borrower started. */
  lend(settings: Record<string, string> = {}): TestInstallation {
    return new TestInstallation({ ...this.settings, ...settings }, { lender: this })
  }

  /** Starts the API inside the test, which takes a quarter of a process's time. */
  startApi(settings: Record<string, string> = {}): Promise<RunningApi> {
    return this.#startServer('api', settings)
  }

  startOperatorApi(settings: Record<string, string> = {}): Promise<RunningApi> {
    return this.#startServer('operator-api', settings)
  }

  /** Starts the API as in production, for a test that kills it or needs something of its process. */
  startApiProcess(settings: Record<string, string> = {}, preload: string[] = []): Promise<ApiProcess> {
    return this.#startServerProcess('api', settings, preload)
  }

  startOperatorApiProcess(settings: Record<string, string> = {}, preload: string[] = []): Promise<ApiProcess> {
    return this.#startServerProcess('operator-api', settings, preload)
  }

  /** Returns the ports of its APIs, its PostgreSQL and its Redis. */
  ports(): number[] {
    const used = [this.settings['DATABASE_URL'], this.settings['REDIS_URL']].filter((url) => url)
    return [...this.#ports, ...used.map((url) => Number(new URL(url ?? '').port))]
  }

  /** Starts a server. A borrower's first one is the lender's; a second one is new, because the test wants another. */
  #startServer(main: 'api' | 'operator-api', settings: Record<string, string>): Promise<RunningApi> {
    if (!this.#lender || !this.#sharesConnections || !isEmpty(settings) || this.#borrowed.has(main))
      return this.#startOwnServer(main, settings)
    this.#borrowed.add(main)
    return this.#lender.#lendServer(main)
  }

  async #lendServer(main: 'api' | 'operator-api'): Promise<RunningApi> {
    const started = this.#servers.get(main) ?? this.#startOwnServer(main, {})
    this.#servers.set(main, started)
    const { process, baseUrl, prefix } = await started
    const stop = () => Promise.reject(new Error(`Other files use this ${main}: start a second one, and stop that.`))
    return new RunningApi({ ...process, stop }, baseUrl, prefix)
  }

  async #startOwnServer(main: 'api' | 'operator-api', settings: Record<string, string>): Promise<RunningApi> {
    const server = await this.#serve(main, { PORT: '0', OPERATOR_PORT: '0', ...settings })
    return new RunningApi(server, `http://127.0.0.1:${server.port}`, prefixOf(main))
  }

  async #serve(main: Main, settings: Record<string, string>): Promise<ServedInTest> {
    const { serveInTest } = await import('./serve-in-test.ts')
    const server = await serveInTest(main, { ...this.settings, ...settings })
    this.#stops.push(() => server.stop())
    this.#ports.push(server.port)
    return server
  }

  async #startServerProcess(
    main: 'api' | 'operator-api',
    settings: Record<string, string>,
    preload: string[],
  ): Promise<ApiProcess> {
    const api = await this.#start(main, { PORT: '0', OPERATOR_PORT: '0', ...settings }, preload)
    const { port } = await api.logged('listening')
    return new RunningApi(api, `http://127.0.0.1:${Number(port)}`, prefixOf(main))
  }

  /** Rejects workers and indexers of borrowers: they would also work for the tenants of other files. */
  #assertOwn(main: Main): void {
    if (this.#lender)
      throw new Error(`A file that starts a ${main} must create its installation: TestInstallation.create().`)
  }

  async #start(main: Main, settings: Record<string, string>, preload: string[] = []): Promise<RunningProcess> {
    if (main === 'worker' || main === 'indexer') this.#assertOwn(main)
    const METRICS_PORT = String(await freePort())
    const started = startProcess(main, { ...this.settings, METRICS_PORT, ...settings }, preload)
    this.#stops.push(() => started.kill())
    return started
  }

  /** Starts a worker inside the test. */
  async startWorker(settings: Record<string, string> = {}): Promise<Served> {
    this.#assertOwn('worker')
    const worker = await this.#serve('worker', { WORKER_PORT: '0', ...settings })
    await worker.logged('working on the queue')
    return worker
  }

  async startWorkerProcess(settings: Record<string, string> = {}, preload: string[] = []): Promise<RunningProcess> {
    const worker = await this.#start('worker', settings, preload)
    await worker.logged('working on the queue')
    return worker
  }

  /** The settings must contain CHAINS. The indexer logs the port of its health checks. */
  startIndexer(settings: Record<string, string>): Promise<Served> {
    this.#assertOwn('indexer')
    return this.#serve('indexer', { INDEXER_PORT: '0', ...settings })
  }

  async startIndexerProcess(settings: Record<string, string>): Promise<RunningProcess> {
    const indexer = await this.#start('indexer', { INDEXER_PORT: '0', ...settings })
    await indexer.logged('listening')
    return indexer
  }

  /** Starts a worker or an indexer without waiting until it is ready, for tests that kill it at a random time. */
  startWithoutWaiting(main: 'worker' | 'indexer', settings: Record<string, string>): Promise<RunningProcess> {
    return this.#start(main, { INDEXER_PORT: '0', NODE_COMPILE_CACHE: this.#compileCache, ...settings })
  }

  /** Queries as the table owner, without row-level security. */
  owner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return asOwner(this.config.databaseUrl, work)
  }

  /** Runs one statement as the table owner. Returns its rows. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read rows without types, as the driver returns them
  rows<Row extends pg.QueryResultRow = any>(text: string, values?: unknown[]): Promise<Row[]> {
    return ownerRows<Row>(this.config.databaseUrl, text, values)
  }

  /** Opens connections with the role of the worker, which the caller ends. */
  workerPool(url = this.config.databaseUrl): pg.Pool {
    const database = { url, role: 'investor_token_worker', cell: undefined } as const
    return createPool(database, this.config, createLogger('silent', 'test'))
  }

  createTenant(name: string, tenant?: NewTenant): Promise<string> {
    return createTestTenant(this, name, tenant)
  }

  /** Makes the tenant need a second person for everything that the policy covers; without a policy, everywhere. */
  async useDefaultPolicies(tenantId: string, policy?: Policy): Promise<void> {
    const text = 'delete from directory.approval_policy where tenant_id = $1 and policy = coalesce($2, policy)'
    await this.rows(text, [tenantId, policy])
  }

  async setLimits(tenantId: string, limits: Partial<TenantLimits>): Promise<void> {
    const context = { databases: this.databases, placement: new Placement(this.databases) }
    await setTenantLimits(context, tenantId, limits, { type: 'maintenance', id: null, requestId: null })
  }

  addUser(tenantId: string, email: string): Promise<string> {
    return addInvitedUser(this, tenantId, email)
  }

  /** Creates a user with all duties by default, who has signed in with a passkey and has a personal access token. */
  createOperator(tenantId: string, operator: NewOperator = {}): Promise<TestOperator> {
    return createSignedInUser(this, tenantId, operator)
  }

  /** Creates a service user, by default one that no person is responsible for, and a personal access token. */
  createServiceUser(tenantId: string, user: NewServiceUser): Promise<{ userId: string; token: string }> {
    return createUserWithToken(this, tenantId, user)
  }

  /** Returns the operator API in this process, which the first call starts. */
  async operatorApi(): Promise<OperatorApi> {
    if (this.#lender && this.#sharesConnections) return this.#lender.operatorApi()
    this.#operatorApi ??= this.#openOperatorApi()
    return this.#operatorApi
  }

  async #openOperatorApi(): Promise<OperatorApi> {
    // Works without Redis: setting up a test must not count against the limits that it tests.
    const [{ OperatorApi }, { baseUrl }] = await Promise.all([
      import('./operator-api.ts'),
      this.startOperatorApi({ REDIS_URL: '' }),
    ])
    return new OperatorApi(this, baseUrl)
  }

  /** Assigns sequence numbers to new events, as a worker does every 50 ms. */
  async numberEvents(): Promise<void> {
    await this.owner((client) =>
      until('all events have numbers', async () => {
        // Numbers none while a worker is numbering.
        await numberEventBatch(client, 1_000)
        return (await client.query('select from cell.event_outbox limit 1')).rowCount === 0
      }),
    )
  }

  issueCredential(
    tenantId: string,
    credential: { scopes?: readonly Scope[]; requestsPerMinute?: number; defaultVersion?: '2026-07-02' } = {},
  ): Promise<IssuedCredential> {
    const ordinary = { tenantId, name: 'test', scopes, defaultVersion: null, requestsPerMinute: 30 }
    return inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, (tx) =>
      issueCredential(tx, this.config.secretPeppers, { ...ordinary, ...credential }),
    )
  }

  async end(): Promise<void> {
    await Promise.all(this.#stops.splice(0).map((stop) => stop()))
    if (this.#sharesConnections) return
    await this.databases.end()
    await this.#own?.drop()
  }
}

export type ApiProcess = RunningApi<RunningProcess>

interface Origin {
  /** Database to drop at the end. */
  readonly own?: TestDatabase
  readonly lender?: TestInstallation
}

function haveSameSettings(one: { settings: object }, other: { settings: object }): boolean {
  return JSON.stringify(one.settings) === JSON.stringify(other.settings)
}

const isEmpty = (settings: object) => Object.keys(settings).length === 0
const prefixOf = (main: 'api' | 'operator-api') => (main === 'api' ? '/api' : '/operator')
