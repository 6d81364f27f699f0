import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import type { IssuedCredential } from '../../src/access/credentials/issue-credential.ts'
import { operations } from '../../src/operations.ts'
import { isCalendarDate } from '../../src/platform/api/declare/fields.ts'
import type { Operation } from '../../src/platform/api/declare/operation.ts'
import { isUuid } from '../../src/platform/base/ids.ts'
import { type ApiResponse, assertResponseConventions } from './api-client.ts'
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.ts'
import { RedisServer } from './redis-server.ts'
import { type RunningApi, TestInstallation } from './service.ts'
import { signedToken } from './signed-token.ts'
import { createWorld, type World } from './world.ts'

export interface FuzzRun {
  requests: number
  serverErrors: number
  invalidResponses: number
  /** The number of responses per status. */
  statuses: Map<number, number>
  /** The smallest failing requests, and the seed and path to reproduce them. */
  failures: string[]
  seconds: number
}

const workerCount = 16
const tenantCount = 3
/** An error response must not be larger than the largest request. */
const errorLengthMax = 64 * 1024

/** Sends random requests concurrently and checks every response against the declared schemas and errors. */
export async function fuzzRun(options: { requests: number; seed: number }): Promise<FuzzRun> {
  const redis = await RedisServer.start()
  const installation = await TestInstallation.create({ REDIS_URL: redis.url })
  try {
    const api = await installation.startApi({ REQUESTS_IN_FLIGHT_MAX: '10000', UNIDENTIFIED_REQUESTS_MAX: '10000' })
    const target = await FuzzTarget.create(installation, api)
    const startedAt = performance.now()
    const all = fuzzRequests(operations)
    const failures: string[] = []
    const work = async (worker: number) => {
      const numRuns = Math.ceil((options.requests - worker) / workerCount)
      const seed = options.seed + worker
      const outcome = await fc.check(
        fc.asyncProperty(all, (request) => target.sendAndCheck(request)),
        { numRuns, seed },
      )
      if (outcome.failed)
        failures.push(`seed ${seed}, path ${outcome.counterexamplePath}: ${String(outcome.errorInstance)}`)
    }
    await Promise.all(Array.from({ length: workerCount }, (_, worker) => work(worker)))
    target.end()
    const { requests, serverErrors, invalidResponses, statuses } = target
    const seconds = (performance.now() - startedAt) / 1000
    return { requests, serverErrors, invalidResponses, statuses, failures, seconds }
  } finally {
    await installation.end()
    await redis.stop()
  }
}

// Validates like the service, with every format of the contract.
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addFormat('date', isCalendarDate).addFormat('uuid', isUuid)

/** Error codes of the pipeline; each operation declares all others. */
const pipelineCodes = [
  'validation_failed', 'token_missing', 'token_invalid', 'rate_limited', 'route_not_found', 'method_not_allowed',
  'idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'headers_too_large', 'signature_invalid',
] // biome-ignore format: a list reads better dense

/** The API under test, with tenants that have one resource of each kind and those that the run creates. */
class FuzzTarget {
  requests = 0
  serverErrors = 0
  invalidResponses = 0
  readonly statuses = new Map<number, number>()
  readonly #installation: TestInstallation
  readonly #api: RunningApi
  readonly #tenants: Tenant[] = []
  readonly #isDeclared = new Map<Operation, ValidateFunction>()
  readonly #agent = new Agent({ keepAlive: true, maxSockets: workerCount })

  private constructor(installation: TestInstallation, api: RunningApi) {
    this.#installation = installation
    this.#api = api
    for (const operation of operations) this.#isDeclared.set(operation, ajv.compile(operation.header.success.body))
  }

  static async create(installation: TestInstallation, api: RunningApi): Promise<FuzzTarget> {
    const target = new FuzzTarget(installation, api)
    for (let count = 0; count < tenantCount; count++) {
      const world = await createWorld(installation, api, `tenant ${count}`)
      const credential = await installation.issueCredential(world.tenantId, { requestsPerMinute: 60_000 })
      target.#tenants.push({ world, credential, created: new Map() })
    }
    return target
  }

  end(): void {
    this.#agent.destroy()
  }

  /** Sends the request and throws if its response is not declared. */
  async sendAndCheck(request: FuzzRequest): Promise<void> {
    const filled = (text: string) =>
      text.replaceAll(/(id|foreign):(\w+)/g, (_, kind: string, name: string) => this.#id(request, kind, name))
    const { header } = request.operation
    const params = Object.fromEntries(Object.entries(request.params).map(([name, text]) => [name, filled(text)]))
    const path = request.prefix + header.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    const url = request.query === '' ? path : `${path}?${request.query}`
    const body = typeof request.body === 'string' ? filled(request.body) : request.body
    const headers = JSON.stringify(request.headers).slice(0, 500)
    const what = `${request.method} ${url.slice(0, 300)} ${headers} ${String(body).slice(0, 1_000)}`
    const response = await this.#send(request, url, body)
    this.requests += 1
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1)
    const exchange = `${what}\nresponse ${response.status}: ${response.text.slice(0, 500)}`
    if (response.status >= 500) {
      this.serverErrors += 1
      throw new Error(`${exchange}\n${this.#api.process.output.slice(-2).join('\n')}`)
    }
    try {
      this.#check(request, response, what)
    } catch (error) {
      this.invalidResponses += 1
      throw new Error(`${exchange}\n${(error as Error).message}`, { cause: error })
    }
    if (response.status === 201) this.#addCreated(request, response.body.id)
  }

  #check({ operation, method, params }: FuzzRequest, response: ApiResponse, what: string): void {
    assert.ok(
      response.status < 400 || response.text.length <= errorLengthMax,
      `an error response of ${response.text.length} characters`,
    )
    if (method === 'HEAD') {
      assert.equal(response.text, '')
      return
    }
    assertResponseConventions(response, what)
    // An odd segment can make the path that of another operation, so the declaration does not apply.
    const isOwnPath = Object.values(params).every((text) => /^[\w:-]+$/.test(text))
    if (!isOwnPath) return
    const { header } = operation
    if (response.status >= 400) {
      const { code } = response.body.error
      assert.ok(
        pipelineCodes.includes(code) || header.errors.some((error) => error.code === code),
        `${code} is not declared`,
      )
      return
    }
    if (method === 'OPTIONS') {
      assert.equal(response.status, 204)
      return
    }
    const declared = operations.find((one) => one.header.path === header.path && one.header.method === method)
    if (!declared) throw new Error('an operation that does not exist has succeeded')
    assert.equal(response.status, declared.header.success.status)
    const isDeclared = this.#isDeclared.get(declared)
    assert.ok(isDeclared?.(response.body), `not as declared: ${JSON.stringify(isDeclared?.errors)}`)
    const isForeign = Object.values(params).some((text) => text.startsWith('foreign:'))
    assert.ok(!isForeign, "the response shows another tenant's rows")
  }

  /** Sends the request, and retries while the process reports overload, which is unrelated to the request. */
  async #send(request: FuzzRequest, url: string, body: string | Uint8Array | undefined): Promise<ApiResponse> {
    const { world, credential } = this.#tenant(request.tenant)
    const caller = { tenantId: world.tenantId, clientId: credential.clientId }
    const isValid = request.authorization === 'valid'
    const authorization = isValid ? `Bearer ${await signedToken(this.#installation, caller)}` : request.authorization
    const headers = { ...request.headers, ...(authorization === 'none' ? {} : { authorization }) }
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#exchange(request.method, url, headers, body)
        const isOverloaded = response.status === 503 && response.body?.error?.message.includes('overloaded')
        if (!isOverloaded || attempt > 20) return response
      } catch (error) {
        // The server closes a connection after a malformed request, and the next request can already be on its way.
        if (attempt > 3) {
          this.invalidResponses += 1
          throw new Error(`no response to ${request.method} ${url.slice(0, 300)}: ${String(error)}`, { cause: error })
        }
      }
      await sleep(100)
    }
  }

  /** Uses http.request, since fetch refuses to send most of these requests. */
  #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array | undefined,
  ): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = { method, path, agent: this.#agent, headers: { ...headers, ...length }, timeout: 30_000 }
      const sent = httpRequest(this.#api.baseUrl, options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: headersOf(response.rawHeaders),
            text,
            body: parsed(text),
          })
        })
      })
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error('timed out after 30 s')))
      sent.end(body)
    })
  }

  #tenant(index: number): Tenant {
    return this.#tenants[index % tenantCount] as Tenant
  }

  #id({ tenant, pick }: FuzzRequest, kind: string, name: string): string {
    const { world, credential, created } = this.#tenant(kind === 'foreign' ? tenant + 1 : tenant)
    if (name === 'client_id') return credential.clientId
    if (name === 'client_secret') return credential.clientSecret
    const all = [world[camelCase(name) as keyof World], ...(created.get(camelCase(name)) ?? [])]
    return all[pick % all.length] ?? world.accountId
  }

  /** Later requests use the created resources; the newest fifty of a kind are enough. */
  #addCreated({ operation, tenant }: FuzzRequest, id: string): void {
    const name = { createAccount: 'accountId', createOrder: 'orderId' }[operation.header.id]
    if (!name) return
    const { created } = this.#tenant(tenant)
    created.set(name, [...(created.get(name) ?? []), id].slice(-50))
  }
}

interface Tenant {
  world: World
  credential: IssuedCredential
  /** Ids of resources that the run created, by their path parameter. */
  created: Map<string, string[]>
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function headersOf(raw: string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '')
  return headers
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
