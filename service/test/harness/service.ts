import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type IssuedCredential, issueCredential } from '../../src/access/credentials/issue-credential.ts'
import { createTenant } from '../../src/access/tenants/create-tenant.ts'
import { setTenantLimits } from '../../src/access/tenants/set-tenant-limits.ts'
import { updateCellLimits, updateDirectoryLimits } from '../../src/access/tenants/tenant-limits.sql.ts'
import type { TenantLimits } from '../../src/access/tenants/tenant-limits.ts'
import { policies } from '../../src/platform/api/declare/approval.ts'
import { type Scope, scopes } from '../../src/platform/api/declare/scopes.ts'
import { readConfig } from '../../src/platform/base/config.ts'
import { createLogger } from '../../src/platform/base/log.ts'
import { Placement } from '../../src/platform/db/placement.ts'
import { type Databases, openDatabases } from '../../src/platform/db/pools.ts'
import { inCellTransaction, inDirectoryTransaction } from '../../src/platform/db/tenant-transaction.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { numberEventBatch } from '../../src/records/events/number-events.sql.ts'
import { type ApiResponse, type Call, callApi } from './api-client.ts'
import { asOwner, createTestDatabase, redisUrl, type TestDatabase } from './database.ts'
import { OperatorApi } from './operator-api.ts'
import { freePort, lastReadiness, type RunningProcess, startProcess } from './process.ts'
import { testKeys } from './test-keys.ts'
import {
  addInvitedUser,
  createSignedInUser,
  createUserWithToken,
  type NewOperator,
  type NewServiceUser,
  type TestOperator,
} from './test-users.ts'
import { until } from './wait.ts'

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
}

/** A new database, the processes that use it, and shortcuts to create tenants, users and credentials. */
export class TestInstallation {
  readonly settings: Record<string, string>
  readonly databases: Databases
  readonly config
  readonly #own: TestDatabase | undefined
  readonly #processes: RunningProcess[] = []
  readonly #compileCache = join(tmpdir(), `investor-token-compiled-${process.pid}`)
  #operatorApi: ReturnType<typeof OperatorApi.start> | undefined

  constructor(settings: Record<string, string>, own?: TestDatabase) {
    this.settings = { ...testKeys, ...tolerantSettings, ...settings }
    this.config = readConfig(this.settings)
    this.databases = openDatabases(this.config, createLogger('silent', 'test'))
    this.#own = own
  }

  static async create(settings: Record<string, string> = {}): Promise<TestInstallation> {
    const database = await createTestDatabase()
    return new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: redisUrl, ...settings }, database)
  }

  startApi(settings: Record<string, string> = {}, preload: string[] = []): Promise<RunningApi> {
    return this.#startServer('api', settings, preload)
  }

  startOperatorApi(settings: Record<string, string> = {}, preload: string[] = []): Promise<RunningApi> {
    return this.#startServer('operator-api', settings, preload)
  }

  async #startServer(
    main: 'api' | 'operator-api',
    settings: Record<string, string>,
    preload: string[],
  ): Promise<RunningApi> {
    const api = startProcess(
      main,
      {
        ...this.settings,
        PORT: '0',
        OPERATOR_PORT: '0',
        METRICS_PORT: String(await freePort()),
        ...settings,
      },
      preload,
    )
    this.#processes.push(api)
    const { port } = await api.logged('listening')
    return new RunningApi(api, `http://127.0.0.1:${Number(port)}`, main === 'api' ? '/api' : '/operator')
  }

  async startWorker(settings: Record<string, string> = {}, preload: string[] = []): Promise<RunningProcess> {
    const own = { ...this.settings, METRICS_PORT: String(await freePort()), ...settings }
    const worker = startProcess('worker', own, preload)
    this.#processes.push(worker)
    await worker.logged('working on the queue')
    return worker
  }

  /** The settings must contain CHAINS. The indexer logs the port of its health checks. */
  async startIndexer(settings: Record<string, string>): Promise<RunningProcess> {
    const metricsPort = String(await freePort())
    const indexer = startProcess('indexer', {
      ...this.settings,
      INDEXER_PORT: '0',
      METRICS_PORT: metricsPort,
      ...settings,
    })
    this.#processes.push(indexer)
    await indexer.logged('listening')
    return indexer
  }

  /** Starts a worker or an indexer without waiting until it is ready, for tests that kill it at a random time. */
  async startWithoutWaiting(main: 'worker' | 'indexer', settings: Record<string, string>): Promise<RunningProcess> {
    const cache = { NODE_COMPILE_CACHE: this.#compileCache }
    const own = { ...this.settings, INDEXER_PORT: '0', METRICS_PORT: String(await freePort()), ...cache, ...settings }
    const started = startProcess(main, own)
    this.#processes.push(started)
    return started
  }

  /** Queries as the table owner, without row-level security. */
  owner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return asOwner(this.config.databaseUrl, work)
  }

  /**
   * Creates a tenant that needs no second person except where every tenant does, so that a test of something else can
   * act alone. `policies: 'default'` is a tenant as `maintain create-tenant` creates it. Its limits are so high that no
   * test reaches them by accident.
   */
  async createTenant(
    name: string,
    { cell = 'main', policies: wanted = 'none' }: { cell?: string; policies?: 'none' | 'default' } = {},
  ): Promise<string> {
    const { databases } = this
    const { tenantId } = await createTenant(databases, new Vaults(this.config.dataMasterKeys), { name, cell })
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
      updateDirectoryLimits(tx, tenantId, highLimits),
    )
    await inCellTransaction(databases, { cell, tenantId }, (tx) => updateCellLimits(tx, tenantId, highLimits))
    if (wanted === 'none')
      await this.owner((client) =>
        client.query('insert into directory.approval_policy (tenant_id, policy) select $1, unnest($2::text[])', [
          tenantId,
          policies,
        ]),
      )
    return tenantId
  }

  /** From now on the tenant needs a second person everywhere, like one that has decided nothing. */
  async useDefaultPolicies(tenantId: string): Promise<void> {
    await this.owner((client) => client.query('delete from directory.approval_policy where tenant_id = $1', [tenantId]))
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

  /** Creates a service user, by default one that no person stands for, and a personal access token. */
  createServiceUser(tenantId: string, user: NewServiceUser): Promise<{ userId: string; token: string }> {
    return createUserWithToken(this, tenantId, user)
  }

  /** The operator API in this process, started by the first call. */
  async operatorApi(): Promise<OperatorApi> {
    this.#operatorApi ??= OperatorApi.start(this)
    return (await this.#operatorApi).api
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
    return inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, (tx) =>
      issueCredential(tx, this.config.secretPeppers, {
        tenantId,
        name: 'test',
        scopes: credential.scopes ?? scopes,
        defaultVersion: credential.defaultVersion ?? null,
        requestsPerMinute: credential.requestsPerMinute ?? 30,
      }),
    )
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((running) => running.kill()))
    await (await this.#operatorApi)?.stop()
    await this.databases.end()
    await this.#own?.drop()
  }
}

const highLimits: TenantLimits = {
  requestsPerMinute: 600_000,
  credentials: 10_000,
  users: 10_000,
  personalTokens: 10_000,
  invitationsPerDay: 10_000,
  paymentProviders: 1_000,
  webhookEndpoints: 1_000,
  fileMebibytes: 1_000_000,
}

export class RunningApi {
  readonly process: RunningProcess
  readonly baseUrl: string
  readonly prefix: '/api' | '/operator'

  constructor(process: RunningProcess, baseUrl: string, prefix: '/api' | '/operator' = '/api') {
    this.process = process
    this.baseUrl = baseUrl
    this.prefix = prefix
  }

  async call(method: string, path: string, call?: Call): Promise<ApiResponse> {
    const response = await callApi(this.baseUrl, method, path, { prefix: this.prefix, ...call })
    // A 500 is a bug. Prints the log of the process, because the response must not contain the cause.
    if (response.status === 500) process.stderr.write(`${this.process.output.slice(-2).join('\n')}\n`)
    return response
  }

  auth({ clientId, clientSecret }: IssuedCredential, requested: readonly string[] = scopes): Promise<ApiResponse> {
    return this.call('POST', '/auth', { body: { client_id: clientId, client_secret: clientSecret, scopes: requested } })
  }

  /** The status of /readyz, and what it logged, which may be that of an earlier call. */
  async health(): Promise<{ httpStatus: number; readiness: string; checks: Record<string, string> }> {
    const response = await fetch(`${this.baseUrl}/readyz`)
    await response.text()
    return { httpStatus: response.status, ...lastReadiness(this.process) }
  }

  /** Waits until the status of /readyz and what it logs are these. */
  async reports(httpStatus: number, readiness: string, checks: Record<string, string> = {}): Promise<void> {
    await until(`/readyz is ${httpStatus} and ${readiness}`, async () => {
      const health = await this.health()
      const hasChecks = Object.entries(checks).every(([name, result]) => health.checks[name] === result)
      return health.httpStatus === httpStatus && health.readiness === readiness && hasChecks
    })
  }

  /** Throws with the response body if POST /auth fails. */
  async token(credential: IssuedCredential, requested?: readonly string[]): Promise<string> {
    const response = await this.auth(credential, requested)
    if (response.status !== 200) throw new Error(`POST /auth returned ${response.status}: ${response.text}`)
    return response.body.access_token
  }
}
