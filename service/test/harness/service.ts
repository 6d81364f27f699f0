import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type IssuedCredential, issueCredential } from '../../src/access/credentials/issue-credential.ts'
import { addUser } from '../../src/access/tenants/add-user.ts'
import { createTenant } from '../../src/access/tenants/create-tenant.ts'
import { issuePersonalToken } from '../../src/access/users/issue-personal-token.ts'
import type { Role } from '../../src/platform/api/declare/roles.ts'
import { type Scope, scopes } from '../../src/platform/api/declare/scopes.ts'
import { readConfig } from '../../src/platform/base/config.ts'
import { createLogger } from '../../src/platform/base/log.ts'
import { type Databases, openDatabases } from '../../src/platform/db/pools.ts'
import { inDirectoryTransaction } from '../../src/platform/db/tenant-transaction.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { sequenceEvents } from '../../src/records/events/event-sequencer.ts'
import { type Answer, type Call, callApi } from './api-client.ts'
import { asOwner, createTestDatabase, redisUrl, type TestDatabase } from './database.ts'
import { OperatorApi } from './operator-api.ts'
import { freePort, type RunningProcess, startProcess } from './process.ts'

export interface TestOperator {
  tenantId: string
  userId: string
  token: string
  tokenId: string
}

/** A database of its own and a way to set up tenants and credentials in it, as an operator would. */
export class TestInstallation {
  readonly settings: Record<string, string>
  readonly databases: Databases
  readonly config
  readonly #own: TestDatabase | undefined
  readonly #processes: RunningProcess[] = []
  readonly #compileCache = join(tmpdir(), `investor-token-compiled-${process.pid}`)
  #operatorApi: ReturnType<typeof OperatorApi.start> | undefined

  constructor(settings: Record<string, string>, own?: TestDatabase) {
    // A busy test machine delays every event loop: that is not what the tests are about. And one PostgreSQL serves the
    // processes of several tests at once, with a hundred connections for all of them.
    this.settings = { LOG_LEVEL: 'info', EVENT_LOOP_DELAY_MAX_MS: '60000', DATABASE_POOL_MAX: '12', ...settings }
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

  /** With CHAINS in the settings, and health checks at the port that it tells. */
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

  /** A worker or an indexer, quickly and without waiting for it to say anything: one that will be killed anyway. */
  async startSettler(main: 'worker' | 'indexer', settings: Record<string, string>): Promise<RunningProcess> {
    const cache = { NODE_COMPILE_CACHE: this.#compileCache }
    const own = { ...this.settings, INDEXER_PORT: '0', METRICS_PORT: String(await freePort()), ...cache, ...settings }
    const settler = startProcess(main, own)
    this.#processes.push(settler)
    return settler
  }

  /** Looks behind the walls, as the owner of the tables. */
  owner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return asOwner(this.config.databaseUrl, work)
  }

  createTenant(name: string, cell = 'main'): Promise<string> {
    return createTenant(this.databases, new Vaults(this.config.dataMasterKeys), { name, cell })
  }

  async addUser(tenantId: string, email: string): Promise<string> {
    const added = await inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, (tx) =>
      addUser(tx, { tenantId, name: 'Ann', email, role: 'admin' }),
    )
    if ('refused' in added) throw new Error(added.refused)
    return added.userId
  }

  /** An admin of the tenant and a token of theirs. */
  async createOperator(
    tenantId: string,
    { role = 'admin', days = 30 }: { role?: Role; days?: number } = {},
  ): Promise<TestOperator> {
    const name = `Olga ${crypto.randomUUID().slice(0, 8)}`
    return inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, async (tx) => {
      const added = await addUser(tx, { tenantId, name, email: `${crypto.randomUUID()}@example.com`, role })
      if ('refused' in added) throw new Error(added.refused)
      const { userId } = added
      const wanted = { tenantId, userId, name: 'test', now: new Date(), days }
      const { token, tokenId } = await issuePersonalToken(tx, this.config.secretPeppers, wanted)
      return { tenantId, userId, token, tokenId }
    })
  }

  /** The operator's API in this process, started when somebody first asks for it. */
  async operatorApi(): Promise<OperatorApi> {
    this.#operatorApi ??= OperatorApi.start(this)
    return (await this.#operatorApi).api
  }

  /** What a worker does every 50 ms: gives events their numbers. */
  async sequenceEvents(): Promise<void> {
    await this.owner((client) => sequenceEvents(client))
  }

  issueCredential(
    tenantId: string,
    wanted: { scopes?: readonly Scope[]; requestsPerMinute?: number; defaultVersion?: '2026-07-02' } = {},
  ): Promise<IssuedCredential> {
    return inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, (tx) =>
      issueCredential(tx, this.config.secretPeppers, {
        tenantId,
        name: 'test',
        scopes: wanted.scopes ?? scopes,
        defaultVersion: wanted.defaultVersion ?? null,
        requestsPerMinute: wanted.requestsPerMinute ?? 30,
      }),
    )
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.kill()))
    await (await this.#operatorApi)?.stop()
    await this.databases.end()
    await this.#own?.drop()
  }
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

  async call(method: string, path: string, call?: Call): Promise<Answer> {
    const answer = await callApi(this.baseUrl, method, path, { prefix: this.#prefix, ...call })
    // A 500 is a bug: say which, since the answer rightly does not.
    if (answer.status === 500) process.stderr.write(`${this.process.output.slice(-2).join('\n')}\n`)
    return answer
  }

  auth({ clientId, clientSecret }: IssuedCredential, wanted: readonly string[] = scopes): Promise<Answer> {
    return this.call('POST', '/auth', { body: { client_id: clientId, client_secret: clientSecret, scopes: wanted } })
  }

  /** What /readyz says. */
  async health(): Promise<{ httpStatus: number; status: string; checks: Record<string, string> }> {
    const response = await fetch(`${this.baseUrl}/readyz`)
    return {
      httpStatus: response.status,
      ...((await response.json()) as { status: string; checks: Record<string, string> }),
    }
  }

  /** A token that works, or a failure that says why not. */
  async token(credential: IssuedCredential, wanted?: readonly string[]): Promise<string> {
    const answer = await this.auth(credential, wanted)
    if (answer.status !== 200) throw new Error(`POST /auth answered ${answer.status}: ${answer.text}`)
    return answer.body.access_token
  }
}
