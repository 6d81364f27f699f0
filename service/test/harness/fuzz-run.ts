import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import type { IssuedCredential } from '../../src/access/credentials/issue-credential.ts'
import { operations } from '../../src/operations.ts'
import { isCalendarDate, isCountryCode } from '../../src/platform/api/declare/fields.ts'
import type { Operation } from '../../src/platform/api/declare/operation.ts'
import { type Answer, assertPromises } from './api-client.ts'
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.ts'
import { RedisServer } from './redis-server.ts'
import { type RunningApi, TestInstallation } from './service.ts'
import { signedToken } from './signed-token.ts'
import { createWorld, type World } from './world.ts'

export interface FuzzRun {
  requests: number
  serverErrors: number
  invalidAnswers: number
  /** How many answers there were of each status. */
  statuses: Map<number, number>
  /** The smallest requests that went wrong, and how to see it again. */
  failures: string[]
  seconds: number
}

const workerCount = 16
const tenantCount = 3
/** A refusal must not cost more to send than the request that it refuses. */
const refusalLengthMax = 64 * 1024

/** Sends so many requests, several at a time, and holds every answer against what is declared. */
export async function fuzzRun(wanted: { requests: number; seed: number }): Promise<FuzzRun> {
  const redis = await RedisServer.start()
  const installation = await TestInstallation.create({ REDIS_URL: redis.url })
  try {
    const api = await installation.startApi({ REQUESTS_IN_FLIGHT_MAX: '10000' })
    const target = await FuzzTarget.create(installation, api)
    const startedAt = performance.now()
    const all = fuzzRequests(operations)
    const failures: string[] = []
    const work = async (worker: number) => {
      const numRuns = Math.ceil((wanted.requests - worker) / workerCount)
      const seed = wanted.seed + worker
      const outcome = await fc.check(
        fc.asyncProperty(all, (request) => target.judge(request)),
        { numRuns, seed },
      )
      if (outcome.failed)
        failures.push(`seed ${seed}, path ${outcome.counterexamplePath}: ${String(outcome.errorInstance)}`)
    }
    await Promise.all(Array.from({ length: workerCount }, (_, worker) => work(worker)))
    target.end()
    const { requests, serverErrors, invalidAnswers, statuses } = target
    const seconds = (performance.now() - startedAt) / 1000
    return { requests, serverErrors, invalidAnswers, statuses, failures, seconds }
  } finally {
    await installation.end()
    await redis.stop()
  }
}

// Asserted as the service validates, with every format that the contract names.
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addFormat('country-code', isCountryCode).addFormat('date', isCalendarDate)

/** What the pipeline itself may say of a request; the rest an operation declares. */
const pipelineCodes = [
  'validation_failed', 'token_missing', 'token_invalid', 'rate_limited', 'route_not_found', 'method_not_allowed',
  'idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'headers_too_large', 'signature_invalid',
] // biome-ignore format: a list reads better dense

/** The API under test, and tenants in it that have one of everything and whatever the run adds. */
class FuzzTarget {
  requests = 0
  serverErrors = 0
  invalidAnswers = 0
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

  /** Sends it and throws when the answer is not one that is declared. */
  async judge(request: FuzzRequest): Promise<void> {
    const filled = (text: string) =>
      text.replaceAll(/(id|foreign):(\w+)/g, (_, kind: string, name: string) => this.#id(request, kind, name))
    const { header } = request.operation
    const params = Object.fromEntries(Object.entries(request.params).map(([name, text]) => [name, filled(text)]))
    const path = request.prefix + header.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    const url = request.query === '' ? path : `${path}?${request.query}`
    const body = typeof request.body === 'string' ? filled(request.body) : request.body
    const headers = JSON.stringify(request.headers).slice(0, 500)
    const what = `${request.method} ${url.slice(0, 300)} ${headers} ${String(body).slice(0, 1_000)}`
    const answer = await this.#answerTo(request, url, body)
    this.requests += 1
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    const said = `${what}\nanswered ${answer.status}: ${answer.text.slice(0, 500)}`
    if (answer.status >= 500) {
      this.serverErrors += 1
      throw new Error(`${said}\n${this.#api.process.output.slice(-2).join('\n')}`)
    }
    try {
      this.#check(request, answer, what)
    } catch (error) {
      this.invalidAnswers += 1
      throw new Error(`${said}\n${(error as Error).message}`, { cause: error })
    }
    if (answer.status === 201) this.#remember(request, answer.body.id)
  }

  #check({ operation, method, params }: FuzzRequest, answer: Answer, what: string): void {
    assert.ok(
      answer.status < 400 || answer.text.length <= refusalLengthMax,
      `a refusal of ${answer.text.length} characters`,
    )
    if (method === 'HEAD') {
      assert.equal(answer.text, '')
      return
    }
    assertPromises(answer, what)
    // An odd segment may be the path of another operation, of which the request says nothing.
    const isOwnPath = Object.values(params).every((text) => /^[\w:-]+$/.test(text))
    if (!isOwnPath) return
    const { header } = operation
    if (answer.status >= 400) {
      const { code } = answer.body.error
      assert.ok(pipelineCodes.includes(code) || header.errors.includes(code), `${code} is not declared`)
      return
    }
    if (method === 'OPTIONS') {
      assert.equal(answer.status, 204)
      return
    }
    const declared = operations.find((one) => one.header.path === header.path && one.header.method === method)
    if (!declared) throw new Error('an operation that is not there has succeeded')
    assert.equal(answer.status, declared.header.success.status)
    const isDeclared = this.#isDeclared.get(declared)
    assert.ok(isDeclared?.(answer.body), `not as declared: ${JSON.stringify(isDeclared?.errors)}`)
    const isForeign = Object.values(params).some((text) => text.startsWith('foreign:'))
    assert.ok(!isForeign, "it has shown another tenant's rows")
  }

  /** The answer. A process that says it is overloaded says nothing of the request, so it is asked again for a while. */
  async #answerTo(request: FuzzRequest, url: string, body: string | Uint8Array | undefined): Promise<Answer> {
    const { world, credential } = this.#tenant(request.tenant)
    const caller = { tenantId: world.tenantId, clientId: credential.clientId }
    const isValid = request.authorization === 'valid'
    const authorization = isValid ? `Bearer ${await signedToken(this.#installation, caller)}` : request.authorization
    const headers = { ...request.headers, ...(authorization === 'none' ? {} : { authorization }) }
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#exchange(request.method, url, headers, body)
        const isOverloaded = answer.status === 503 && answer.body?.error?.message.includes('overloaded')
        if (!isOverloaded || tries > 20) return answer
      } catch (error) {
        // The server closes a connection after a request that it cannot read; the next one may have been on its way.
        if (tries > 3) {
          this.invalidAnswers += 1
          throw new Error(`no answer to ${request.method} ${url.slice(0, 300)}: ${String(error)}`, { cause: error })
        }
      }
      await sleep(100)
    }
  }

  /** Over http.request and not fetch, which knows better than to send most of this. */
  #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array | undefined,
  ): Promise<Answer> {
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
      sent.on('timeout', () => sent.destroy(new Error('30 s passed')))
      sent.end(body)
    })
  }

  #tenant(number: number): Tenant {
    return this.#tenants[number % tenantCount] as Tenant
  }

  #id({ tenant, pick }: FuzzRequest, kind: string, name: string): string {
    const { world, credential, created } = this.#tenant(kind === 'foreign' ? tenant + 1 : tenant)
    if (name === 'client_id') return credential.clientId
    if (name === 'client_secret') return credential.clientSecret
    const all = [world[camelCase(name) as keyof World], ...(created.get(camelCase(name)) ?? [])]
    return all[pick % all.length] ?? world.accountId
  }

  /** What was made is what later requests are about; the newest fifty of a kind are enough. */
  #remember({ operation, tenant }: FuzzRequest, id: string): void {
    const name = { createAccount: 'accountId', createOrder: 'orderId' }[operation.header.id]
    if (!name) return
    const { created } = this.#tenant(tenant)
    created.set(name, [...(created.get(name) ?? []), id].slice(-50))
  }
}

interface Tenant {
  world: World
  credential: IssuedCredential
  /** Ids of what the run has made, by the name that paths have for them. */
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
