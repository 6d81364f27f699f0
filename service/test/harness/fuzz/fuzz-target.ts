import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { ProposedChange } from '../../../src/platform/api/declare/approval.ts'
import type { Operation } from '../../../src/platform/api/declare/operation.ts'
import { errorsOf } from '../../../src/platform/api/openapi/openapi-errors.ts'
import { addFormats } from '../../../src/platform/api/pipeline/validation.ts'
import { type ApiResponse, assertResponseConventions } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { FuzzedApi, FuzzRequest } from './fuzz-requests.ts'

/** Returns the value of a placeholder. */
export type FillIn = (kind: 'id' | 'foreign', name: string) => string

/** An API under test and the tenants that call it. */
export interface FuzzWorld extends FuzzedApi {
  readonly name: 'integrator' | 'operator'
  readonly api: RunningApi
  /** Chooses the caller and the resources of a request. Creates the resources first if the request asks for it. */
  fillInFor(request: FuzzRequest): Promise<FillIn>
  /** Lets later requests use the created resource. */
  addCreated(request: FuzzRequest, params: Readonly<Record<string, string>>, response: ApiResponse): void
}

/** Tenants of a fuzzed API, each with its own resources. */
export class FuzzTenants<Tenant> {
  readonly api: RunningApi
  protected readonly installation: TestInstallation
  protected readonly tenants: readonly Tenant[]

  constructor(installation: TestInstallation, api: RunningApi, tenants: readonly Tenant[]) {
    this.installation = installation
    this.api = api
    this.tenants = tenants
  }

  protected tenant(index: number): Tenant {
    return this.tenants[index % this.tenants.length] as Tenant
  }
}

/** Results of one API. */
export interface FuzzedApiResult {
  readonly name: FuzzWorld['name']
  requests: number
  serverErrors: number
  invalidResponses: number
  /** Number of responses per status. */
  readonly statuses: Map<number, number>
  /** Ids of the operations that no request has reached with success yet. */
  readonly neverSucceeded: Set<string>
  /** The smallest failing requests, and the seed and path to reproduce them. */
  readonly failures: string[]
}

/** Matches overload of the process, and of the uploads of a tenant. */
const overload = /overloaded|can upload at most|files are being uploaded/

/** An error response must not be larger than the largest request. */
const errorLengthMax = 64 * 1024

// Validates like the service, with every format of the contract.
const ajv = new Ajv2020({ strict: false })
addFormats(ajv)

/** Codes of requests that reach no operation, or are rejected before it is known. Operations declare all others. */
const transportCodes = [
  'validation_failed', 'route_not_found', 'method_not_allowed', 'payload_too_large', 'headers_too_large',
  'unsupported_media_type',
] // biome-ignore format: a list reads better dense

/** Sends requests to one API and checks its responses. */
export class FuzzTarget {
  readonly #world: FuzzWorld
  readonly #result: FuzzedApiResult
  readonly #validators = new Map<TSchema, ValidateFunction>()
  readonly #operationsAt = new Map<string, Operation | undefined>()
  readonly #agent: Agent

  constructor(world: FuzzWorld, result: FuzzedApiResult, concurrency: number) {
    this.#world = world
    this.#result = result
    this.#agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  }

  end(): void {
    this.#agent.destroy()
  }

  /** Sends the request and throws if its response is not declared. */
  async sendAndCheck(request: FuzzRequest): Promise<void> {
    const fillIn = await this.#world.fillInFor(request)
    const filled = (text: string, encode = (value: string) => value) =>
      text.replaceAll(/(id|foreign):(\w+)/g, (_, kind: string, name: string) => encode(fillIn(kind as 'id', name)))
    const mapped = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text)]))
    const { header } = request.operation
    const [params, headers] = [mapped(request.params), mapped(request.headers)]
    const path = request.prefix + header.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    const query = filled(request.query.replaceAll('%3A', ':'))
    const url = query === '' ? path : `${path}?${query}`
    const body = typeof request.body === 'string' ? filled(request.body, inJson) : request.body
    const printed = JSON.stringify(request.headers).slice(0, 500)
    const what = `${request.method} ${url.slice(0, 300)} ${printed} ${String(body).slice(0, 1_000)}`
    const response = await this.#send(request.method, url, headers, body)
    const { statuses } = this.#result
    this.#result.requests += 1
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    const exchange = `${what}\nresponse ${response.status}: ${response.text.slice(0, 500)}`
    if (response.status >= 500) {
      this.#result.serverErrors += 1
      const requestId = response.headers.get('x-request-id') ?? ''
      const lines = this.#world.api.process.output.filter((line) => line.includes(requestId))
      throw new Error(`${exchange}\n${lines.join('\n')}`)
    }
    try {
      this.#check(request, response, what)
    } catch (error) {
      this.#result.invalidResponses += 1
      throw new Error(`${exchange}\n${(error as Error).message}`, { cause: error })
    }
    if (response.status < 300) this.#world.addCreated(request, params, response)
  }

  #check({ operation, method, params }: FuzzRequest, response: ApiResponse, what: string): void {
    const { status, text, body } = response
    assert.ok(status < 400 || text.length <= errorLengthMax, `an error response of ${text.length} characters`)
    if (method === 'HEAD') {
      assert.equal(text, '')
      return
    }
    // An odd segment can turn the path into that of another operation, so the declaration does not apply.
    const isOwnPath = Object.values(params).every((segment) => /^[\w:-]+$/.test(segment))
    const declared = this.#operationAt(method, operation.header)
    assertResponseConventions(response, what, isOwnPath ? declared?.header.success.file : undefined)
    if (!isOwnPath) return
    if (status >= 400) {
      const errors = declared ? errorsOf(declared, this.#world.operations) : []
      const known = errors.find(({ code }) => code === body.error.code)
      assert.ok(known || transportCodes.includes(body.error.code), `${body.error.code} is not declared`)
      assert.equal(status, known?.status ?? status)
      return
    }
    if (method === 'OPTIONS') {
      assert.equal(status, 204)
      return
    }
    if (!declared) throw new Error('an operation that does not exist has succeeded')
    this.#result.neverSucceeded.delete(declared.header.id)
    this.#checkSuccess(declared, response)
    // Checks ids only: a kind of work, for example, is the same for all tenants.
    const isForeign = Object.entries(params).some(
      ([name, segment]) => segment.startsWith('foreign:') && hasUuid(operation, name),
    )
    assert.ok(!isForeign, "the response shows another tenant's rows")
  }

  /** Returns the operation with this method at the path of another one. */
  #operationAt(method: string, at: Operation['header']): Operation | undefined {
    const key = `${method} ${at.path}`
    if (!this.#operationsAt.has(key)) {
      const { operations } = this.#world
      this.#operationsAt.set(
        key,
        operations.find(({ header }) => header.method === method && isPathOf(header, at)),
      )
    }
    return this.#operationsAt.get(key)
  }

  #checkSuccess(declared: Operation, { status, body }: ApiResponse): void {
    const { header } = declared
    if (status === 202) {
      const approval = declared.kind === 'operator' ? declared.header.approval : 'never'
      assert.ok(approval === 'policy' || approval === 'always', 'the operation does not declare a second person')
      this.#assertValid(ProposedChange, body)
      return
    }
    assert.equal(status, header.success.status)
    if (header.success.file) return
    this.#assertValid(header.success.body, body)
    if (!body.approval || !('result' in body)) return
    // Confirming a proposal returns the result of the proposed operation.
    const confirmed = this.#world.operations.find((one) => one.header.id === body.approval.operation)
    if (confirmed) this.#assertValid(confirmed.header.success.body, body.result)
  }

  #assertValid(schema: TSchema, body: unknown): void {
    const isValid = this.#validators.get(schema) ?? ajv.compile(schema)
    this.#validators.set(schema, isValid)
    assert.ok(isValid(body), `not as declared: ${JSON.stringify(isValid.errors)}`)
  }

  /** Sends the request, and retries while the process reports overload, which other requests have caused. */
  async #send(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array | undefined,
  ): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#exchange(method, url, headers, body)
        const isOverloaded = [429, 503].includes(response.status) && overload.test(response.body?.error?.message)
        if (!isOverloaded || attempt > 20) return response
      } catch (error) {
        // The server closes a connection after a malformed request, and the next request can already be on its way.
        if (attempt > 3) {
          this.#result.invalidResponses += 1
          throw new Error(`no response to ${method} ${url.slice(0, 300)}: ${String(error)}`, { cause: error })
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
      const sent = httpRequest(this.#world.api.baseUrl, options, (response) => {
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
}

/** Returns true if a path matches that of an operation: /accounts/search is also an /accounts/:accountId. */
function isPathOf({ path: pattern }: Operation['header'], { path }: Operation['header']): boolean {
  return pattern === path || new RegExp(`^${pattern.replaceAll(/:\w+/g, '[\\w-]+')}$`).test(path)
}

/** Escapes text for use inside a JSON string. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1)
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

function hasUuid({ header }: Operation, parameter: string): boolean {
  const schema = header.params?.properties[parameter]
  return schema !== undefined && 'format' in schema && schema.format === 'uuid'
}
