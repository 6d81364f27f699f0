import type pg from 'pg'
import { readConfig } from '../../src/base/config.ts'
import { createLogger } from '../../src/base/log.ts'
import { type IssuedCredential, issueCredential } from '../../src/credentials/issue-credential.ts'
import { type Databases, openDatabases } from '../../src/db/pools.ts'
import { inDirectoryTransaction } from '../../src/db/tenant-transaction.ts'
import { Vaults } from '../../src/db/vault.ts'
import { type Scope, scopes } from '../../src/http/scopes.ts'
import { addAdministrator } from '../../src/tenants/add-administrator.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { type Answer, type Call, callApi } from './api-client.ts'
import { asOwner, createTestDatabase, redisUrl, type TestDatabase } from './database.ts'
import { freePort, type RunningProcess, startProcess } from './process.ts'

/** A database of its own and a way to set up tenants and credentials in it, as an operator would. */
export class TestInstallation {
  readonly settings: Record<string, string>
  readonly databases: Databases
  readonly config
  readonly #own: TestDatabase | undefined
  readonly #processes: RunningProcess[] = []

  constructor(settings: Record<string, string>, own?: TestDatabase) {
    // A busy test machine delays every event loop: that is not what the tests are about.
    this.settings = { LOG_LEVEL: 'info', EVENT_LOOP_DELAY_MAX_MS: '60000', ...settings }
    this.config = readConfig(this.settings)
    this.databases = openDatabases(this.config, createLogger('silent', 'test'))
    this.#own = own
  }

  static async create(settings: Record<string, string> = {}): Promise<TestInstallation> {
    const database = await createTestDatabase()
    return new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: redisUrl, ...settings }, database)
  }

  async startApi(settings: Record<string, string> = {}, preload: string[] = []): Promise<RunningApi> {
    const api = startProcess(
      'api',
      {
        ...this.settings,
        PORT: '0',
        METRICS_PORT: String(await freePort()),
        ...settings,
      },
      preload,
    )
    this.#processes.push(api)
    const { port } = await api.logged('listening')
    return new RunningApi(api, `http://127.0.0.1:${Number(port)}`)
  }

  async startWorker(settings: Record<string, string> = {}): Promise<RunningProcess> {
    const worker = startProcess('worker', { ...this.settings, METRICS_PORT: String(await freePort()), ...settings })
    this.#processes.push(worker)
    await worker.logged('working on the queue')
    return worker
  }

  /** Looks behind the walls, as the owner of the tables. */
  owner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return asOwner(this.config.databaseUrl, work)
  }

  createTenant(name: string, cell = 'main'): Promise<string> {
    return createTenant(this.databases, new Vaults(this.config.dataMasterKeys), { name, cell })
  }

  async addAdministrator(tenantId: string, email: string): Promise<string> {
    const added = await inDirectoryTransaction(this.databases, { tenantId, access: 'write' }, (tx) =>
      addAdministrator(tx, { tenantId, name: 'Ann', email }),
    )
    if ('refused' in added) throw new Error(added.refused)
    return added.administratorId
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
    await this.databases.end()
    await this.#own?.drop()
  }
}

export class RunningApi {
  readonly process: RunningProcess
  readonly baseUrl: string

  constructor(process: RunningProcess, baseUrl: string) {
    this.process = process
    this.baseUrl = baseUrl
  }

  async call(method: string, path: string, call?: Call): Promise<Answer> {
    const answer = await callApi(this.baseUrl, method, path, call)
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
