import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type IssuedCredential, issueCredential } from '../../src/access/credentials/issue-credential.ts'
import { createSession } from '../../src/access/sessions/create-session.ts'
import { bindIdentity, ensureIdentity } from '../../src/access/sessions/identity.sql.ts'
import { identityIdOf, type PersonKey } from '../../src/access/sessions/identity.ts'
import { createTenant } from '../../src/access/tenants/create-tenant.ts'
import { setTenantLimits } from '../../src/access/tenants/set-tenant-limits.ts'
import { updateCellLimits, updateDirectoryLimits } from '../../src/access/tenants/tenant-limits.sql.ts'
import type { TenantLimits } from '../../src/access/tenants/tenant-limits.ts'
import { addUser } from '../../src/access/users/add-user.ts'
import { issuePersonalToken } from '../../src/access/users/issue-personal-token.ts'
import { policies } from '../../src/platform/api/declare/approval.ts'
import { type Duty, duties, dutiesOfRole, type GrantedDuty, type Role } from '../../src/platform/api/declare/duties.ts'
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
import { until } from './wait.ts'

interface NewOperator {
  role?: Role
  duties?: readonly Duty[]
  days?: number
  /** The person behind the user; a new one by default. */
  person?: PersonKey
  invitedBy?: string | null
}

function granted(wanted: readonly Duty[]): GrantedDuty[] {
  return wanted.map((duty) => ({ duty, offeringIds: null }))
}

export interface TestOperator {
  tenantId: string
  userId: string
  /** A personal access token of the user. */
  token: string
  tokenId: string
  /** The cookie of a session in which the user has just used a passkey. */
  cookie: string
  sessionId: string
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
    // A busy test machine delays every event loop, which most tests must tolerate. The pool is small because one
    // PostgreSQL with a hundred connections serves the processes of several tests at once.
    const tolerant = { LOG_LEVEL: 'info', EVENT_LOOP_DELAY_MAX_MS: '60000', DATABASE_POOL_MAX: '12' }
    this.settings = { ...testKeys, ...tolerant, ...settings }
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
    const tenantId = await createTenant(databases, new Vaults(this.config.dataMasterKeys), { name, cell })
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

  async setLimits(tenantId: string, limits: Partial<TenantLimits>): Promise<void> {
    const context = { databases: this.databases, placement: new Placement(this.databases) }
    await setTenantLimits(context, tenantId, limits, { type: 'maintenance', id: null, requestId: null })
  }

  async addUser(tenantId: string, email: string): Promise<string> {
    const added = await inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, (tx) =>
      addUser(tx, {
        tenantId,
        kind: 'person',
        name: 'Ann',
        email,
        invitedBy: null,
        duties: granted(dutiesOfRole.admin),
      }),
    )
    if ('rejected' in added) throw new Error(added.rejected)
    return added.userId
  }

  /** Creates a user with all duties by default, who has signed in with a passkey and has a personal access token. */
  async createOperator(
    tenantId: string,
    {
      role,
      duties: wanted = role ? dutiesOfRole[role] : duties,
      days = 30,
      person,
      invitedBy = null,
    }: NewOperator = {},
  ): Promise<TestOperator> {
    const name = `Olga ${crypto.randomUUID().slice(0, 8)}`
    const email = `${crypto.randomUUID()}@example.com`
    const key = person ?? { issuer: 'https://id.example.com', subject: email }
    const identityId = identityIdOf(key)
    return inDirectoryTransaction(this.databases, { identityId, tenantId, access: 'write' }, async (tx) => {
      const user = { kind: 'person', name, email, invitedBy } as const
      const added = await addUser(tx, { tenantId, ...user, duties: granted(wanted) })
      if ('rejected' in added) throw new Error(added.rejected)
      const { userId } = added
      await ensureIdentity(tx, key)
      if (!(await bindIdentity(tx, { tenantId, userId }, identityId))) throw new Error('the person is a user already')
      const now = new Date()
      const browser = { userAgent: 'test', sourceAddress: '127.0.0.1', providerSession: null, isBreakGlass: false }
      const signedIn = { tenantId, userId, identityId, hasSecondFactor: true, ...browser }
      const { cookie, sessionId } = await createSession(tx, this.config.secretPeppers, signedIn, now)
      const newToken = { tenantId, userId, sessionId: null, name: 'test', now, days }
      const { token, tokenId } = await issuePersonalToken(tx, this.config.secretPeppers, newToken)
      return { tenantId, userId, token, tokenId, cookie, sessionId }
    })
  }

  /** The operator API in this process, started by the first call. */
  async operatorApi(): Promise<OperatorApi> {
    this.#operatorApi ??= OperatorApi.start(this)
    return (await this.#operatorApi).api
  }

  /** Assigns sequence numbers to new events, as a worker does every 50 ms. */
  async numberEvents(): Promise<void> {
    await this.owner((client) => numberEventBatch(client, 1_000))
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
}

export class RunningApi {
  readonly process: RunningProcess
  readonly baseUrl: string
  readonly #prefix: '/api' | '/operator'

  constructor(process: RunningProcess, baseUrl: string, prefix: '/api' | '/operator' = '/api') {
    this.process = process
    this.baseUrl = baseUrl
    this.#prefix = prefix
  }

  async call(method: string, path: string, call?: Call): Promise<ApiResponse> {
    const response = await callApi(this.baseUrl, method, path, { prefix: this.#prefix, ...call })
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
