import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, globSync, openSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IssuedCredential } from '../service/src/access/credentials/issue-credential.ts'
import { LocalPostgres } from '../service/src/dev/local-postgres.ts'
import { migrate } from '../service/src/maintain/migrate/migrate.ts'
import { callApi } from '../service/test/harness/installation/api-client.ts'
import { endChild, freePort, isServing } from '../service/test/harness/installation/process.ts'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { RedisServer } from '../service/test/harness/servers/redis-server.ts'
import { until } from '../service/test/harness/wait.ts'

/** The processes whose CPU time is measured. */
export interface MeasuredProcesses {
  readonly api: number
  readonly postgres: number
  readonly redis: number
}

interface RunningApi {
  readonly process: ChildProcess
  readonly baseUrl: string
  readonly port: number
}

interface ApiStart {
  readonly profileFolder?: string | undefined
  /** Files that the process loads first. */
  readonly preload?: readonly string[]
  /** True if garbage() can be called. */
  readonly countsGarbage?: boolean
  /** Callers of the API. */
  readonly callers?: 'integrators' | 'operators'
  /** True if it rejects requests while its event loop is delayed, as in production. */
  readonly isProtected?: boolean
}

/**
 * A PostgreSQL, a Redis and one API process for one measurement, started as in production and removed afterwards. Every
 * check of the API is on; only the rate limit of the credentials is raised.
 */
export class BenchInstallation {
  /** The folder of pgbench and the server, which must have the same version. */
  readonly binaries: string
  readonly installation: TestInstallation
  readonly folder: string
  readonly #postgres: LocalPostgres
  readonly #redis: RedisServer
  readonly #isKept: boolean
  readonly #credentialsOf = new Map<string, IssuedCredential[]>()
  #closing: Promise<void> | undefined
  readonly #apis: RunningApi[] = []

  private constructor(
    { folder, binaries, pool, isKept }: { folder: string; binaries: string; pool: number; isKept: boolean },
    postgres: LocalPostgres,
    redis: RedisServer,
  ) {
    this.folder = folder
    this.binaries = binaries
    this.#isKept = isKept
    this.#postgres = postgres
    this.#redis = redis
    this.installation = new TestInstallation({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      DATABASE_POOL_MAX: String(pool),
    })
  }

  /** Opens an installation. `keep` is a folder that stays, and whose data is used if there is any. */
  static async open({ connections, keep }: { connections: number; keep?: string }): Promise<BenchInstallation> {
    const binaries = findBinaries()
    const folder = keep ?? (await mkdtemp(join(tmpdir(), 'investor-token-bench-')))
    await mkdir(folder, { recursive: true })
    // The server may run as another user, who must be able to enter the folder.
    await chmod(folder, 0o755)
    const postgres = await LocalPostgres.open(join(folder, 'data'), { binaries, settings: serverSettings })
    const redis = await RedisServer.start()
    const options = { folder, binaries, pool: connections, isKept: keep !== undefined }
    const bench = new BenchInstallation(options, postgres, redis)
    // The server is outside the terminal's process group, so no signal reaches it.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void bench.close().finally(() => process.exit(1)))
    try {
      await migrate(bench.installation.config, () => {})
      return bench
    } catch (error) {
      await bench.close()
      throw error
    }
  }

  get port(): number {
    return this.#running.port
  }

  get processes(): MeasuredProcesses {
    const [postgres] = readFileSync(join(this.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    return { api: this.#running.process.pid ?? 0, postgres: Number(postgres), redis: this.#redis.pid }
  }

  /** Starts an API process. It logs to a file as in production: reading its lines here would distort the result. */
  async startApi({
    profileFolder,
    preload = [],
    countsGarbage = false,
    callers = 'integrators',
    isProtected = false,
  }: ApiStart = {}): Promise<void> {
    const port = await freePort()
    const main = (name: string) => fileURLToPath(new URL(`../service/src/main/${name}.ts`, import.meta.url))
    const profile = profileFolder ? ['--cpu-prof', '--cpu-prof-dir', profileFolder] : []
    const log = openSync(join(this.folder, 'api.log'), 'a')
    const counter = countsGarbage ? [fileURLToPath(new URL('./garbage-counter.ts', import.meta.url))] : []
    const imports = [main('telemetry'), ...counter, ...preload].flatMap((file) => ['--import', file])
    const program = callers === 'operators' ? 'operator-api' : 'api'
    const child = spawn(process.execPath, [...profile, ...imports, main(program)], {
      env: {
        ...this.installation.settings,
        PATH: process.env['PATH'] ?? '',
        PORT: String(port),
        OPERATOR_PORT: String(port),
        METRICS_PORT: String(await freePort()),
        // The delay is still measured, but other load on the machine must not end the benchmark.
        ...(!isProtected && { EVENT_LOOP_DELAY_MAX_MS: '10000' }),
      },
      stdio: ['ignore', log, log, ...(countsGarbage ? (['ipc'] as const) : [])],
    })
    closeSync(log)
    const baseUrl = `http://127.0.0.1:${port}`
    this.#apis.push({ process: child, baseUrl, port })
    await until('the API is ready', () => isServing(`${baseUrl}/readyz`), 120_000)
  }

  /** Returns the bytes that the API's garbage collections have freed since the last call. */
  async garbage(): Promise<number> {
    const api = this.#running.process
    const replied = once(api, 'message')
    api.send('garbage')
    const [bytes] = await replied
    return bytes as number
  }

  /**
   * Returns tokens of credentials of a tenant. Each is allowed up to 1,000 requests a second, and all of them together
   * 8,000. A tenant is allowed 10,000, so all measurements use the same credentials, with the limits of the first.
   */
  async tokens(tenantId: string, count: number): Promise<string[]> {
    const credentials = this.#credentialsOf.get(tenantId) ?? []
    this.#credentialsOf.set(tenantId, credentials)
    const requestsPerMinute = Math.min(60_000, Math.floor(480_000 / count))
    while (credentials.length < count)
      credentials.push(await this.installation.issueCredential(tenantId, { requestsPerMinute }))
    const tokens: string[] = []
    for (const credential of credentials.slice(0, count)) tokens.push(await this.#token(credential))
    return tokens
  }

  /** Makes one ordinary call, to check that the measured operation works. */
  async call(method: string, path: string, token: string, body?: unknown): Promise<unknown> {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const response = await callApi(this.#running.baseUrl, method, path, { token, headers, body })
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
    return response.body
  }

  /** Safe to call twice: a signal closes, and so does the measurement that it interrupts. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const { process: api } of this.#apis) await endChild(api)
    await this.installation.end()
    await this.#redis.stop()
    if (this.#isKept) return this.#postgres.stop()
    await this.#postgres.kill()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Returns the newest API, which also issues tokens. */
  get #running(): RunningApi {
    const newest = this.#apis.at(-1)
    if (!newest) throw new Error('the API has not been started')
    return newest
  }

  async #token({ clientId, clientSecret }: IssuedCredential): Promise<string> {
    const scopes = ['account.create', 'order.create', 'order.read']
    const body = { client_id: clientId, client_secret: clientSecret, scopes }
    let token = ''
    // On a busy machine a process that has just started may report that it is overloaded.
    await until('POST /auth issues a token', async () => {
      const response = await callApi(this.#running.baseUrl, 'POST', '/auth', { body })
      if (response.status === 200) token = response.body.access_token
      return response.status === 200
    })
    return token
  }
}

/**
 * Ordinary production settings for a server of this size, and no checkpoint during a measurement. fsync and
 * synchronous_commit stay on.
 */
const serverSettings = {
  shared_buffers: '512MB',
  effective_cache_size: '2GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
  jit: 'off',
}

function findBinaries(): string {
  const found = globSync('/usr/lib/postgresql/*/bin/pgbench')
    .map((file) => dirname(file))
    .filter((folder) => existsSync(join(folder, 'postgres')))
    .toSorted()
    .at(-1)
  if (!found) throw new Error('The benchmarks need an installed PostgreSQL server with pgbench.')
  return found
}
