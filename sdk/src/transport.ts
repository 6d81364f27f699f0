import { type AccessToken, accessToken, isUsable, TokenSource } from './access-token.ts'
import { attempt } from './attempt.ts'
import { type ApiResponse, Call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { AbortError, ApiError, ConnectionError } from './errors.ts'
import { allScopes, apiVersion, keyHeader, type Operation, operations } from './generated/operations.ts'
import type { Responses } from './generated/schemas.ts'
import { toJson } from './json.ts'
import type { ClientOptions, LogEntry, WriteOptions } from './options.ts'
import { readResponse } from './response.ts'
import { pauseMs, retriesDefault, retryWaitMs } from './retry.ts'
import { Throttle } from './throttle.ts'
import { baseUrlOf, pathOf, queryOf, requireKey } from './url.ts'
import { userAgent } from './version.ts'

export interface OperationInput {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string | number | undefined>
  readonly body?: unknown
  readonly options?: WriteOptions | undefined
}

export type OperationName = keyof typeof operations

const timeoutDefaultMs = 30_000
// Writes that are idempotent without a key: getting another token, and cancelling an order that is already cancelled.
const idempotentWithoutKey: ReadonlySet<string> = new Set<OperationName>(['authenticate', 'cancelOrder'])

/** Sends requests with an access token, within the rate limit, and retries them where that is safe. */
export class Transport {
  readonly #options: ClientOptions
  readonly #baseUrl: string
  readonly #clock: Clock
  readonly #throttle: Throttle
  readonly #tokens: TokenSource

  constructor(options: ClientOptions) {
    this.#options = options
    this.#baseUrl = baseUrlOf(options)
    this.#clock = options.clock ?? systemClock
    this.#throttle = new Throttle(this.#clock)
    this.#tokens = new TokenSource(this.#clock, () => this.#requestToken())
  }

  call<Name extends OperationName>(name: Name, input: OperationInput = {}): Call<Responses[Name]> {
    const operation: Operation = operations[name]
    const key = operation.takesKey ? (input.options?.idempotencyKey ?? crypto.randomUUID()) : undefined
    return new Call(this.#send<Responses[Name]>(name, input, key), key)
  }

  async #send<Data>(name: OperationName, input: OperationInput, key: string | undefined): Promise<ApiResponse<Data>> {
    const operation: Operation = operations[name]
    if (key !== undefined) requireKey(key)
    const { options = {} } = input
    const { signal, maxRetries = this.#options.maxRetries ?? retriesDefault } = options
    const path = pathOf(operation.path, input.params)
    const body = input.body === undefined ? undefined : toJson(input.body)
    const log = { operation: name, method: operation.method, path }
    const isIdempotent = operation.method === 'GET' || key !== undefined || idempotentWithoutKey.has(name)
    let retries = 0
    let isTokenRenewed = false
    for (let attempts = 1; ; attempts += 1) {
      const token = name === 'authenticate' ? undefined : await this.#tokens.get(signal)
      try {
        return await this.#sendOnce<Data>({ name, operation, path, input, body, key, token, attempts })
      } catch (error) {
        // The request waited in the throttle until its token was about to expire; it was not sent.
        if (error === staleToken) continue
        if (token && !isTokenRenewed && error instanceof ApiError && error.status === 401) {
          this.#tokens.drop(token)
          isTokenRenewed = true
          continue
        }
        const waitMs = retries < maxRetries ? retryWaitMs(error, retries, isIdempotent) : undefined
        if (waitMs === undefined) throw error
        retries += 1
        this.#log({ ...log, event: 'retry', attempt: attempts, waitMs, reason: reasonOf(error) })
        await this.#sleep(waitMs, input, key)
      }
    }
  }

  async #sendOnce<Data>(request: PreparedRequest): Promise<ApiResponse<Data>> {
    const { name, operation, path, input, body, key, token, attempts } = request
    const { signal, timeoutMs = this.#options.timeoutMs ?? timeoutDefaultMs } = input.options ?? {}
    const log = { operation: name, method: operation.method, path, attempt: attempts }
    const title = `${operation.method} ${path}`
    const waitMs = this.#throttle.waitMs()
    if (waitMs > 0) this.#log({ ...log, event: 'throttled', ...(Number.isFinite(waitMs) ? { waitMs } : {}) })
    const slot = await this.#throttle.enter({ signal, isUrgent: token === undefined }).catch(() => {
      throw new AbortError(`${title} was aborted by your signal before it was sent.`, { idempotencyKey: key })
    })
    if (token && !isUsable(token, this.#clock)) {
      slot.unused()
      throw staleToken
    }
    const startedAt = this.#clock.now()
    let isCompleted = false
    try {
      const raw = await attempt(this.#options.fetch ?? fetch, this.#clock, {
        name: title,
        url: this.#baseUrl + path + queryOf(input.query),
        request: { method: operation.method, headers: headersOf(request), ...(body === undefined ? {} : { body }) },
        timeoutMs,
        signal,
        context: { idempotencyKey: key },
      })
      const requestId = raw.headers.get('x-request-id') ?? undefined
      const durationMs = this.#clock.now() - startedAt
      const response = { status: raw.status, durationMs, ...(requestId === undefined ? {} : { requestId }) }
      this.#log({ ...log, event: 'response', ...response })
      isCompleted = true
      if (raw.status === 429) slot.rejected(pauseMs(raw.headers.get('retry-after')))
      else slot.completed(raw.headers)
      const data = readResponse(title, raw, { idempotencyKey: key }, (text) => this.#redact(text, token)) as Data
      const isReplay = raw.headers.get('idempotency-replayed') === 'true'
      return { data, status: raw.status, headers: raw.headers, requestId, idempotencyKey: key, isReplay, attempts }
    } catch (error) {
      if (!isCompleted) slot.completed()
      throw error
    }
  }

  /** Computes the token's lifetime from the Date header of the response, so that this machine's clock may be wrong. */
  async #requestToken(): Promise<AccessToken> {
    const { clientId, clientSecret, scopes = allScopes } = this.#options
    const body = { client_id: clientId, client_secret: clientSecret, scopes, api_version: apiVersion }
    const { data, headers } = await this.call('authenticate', { body }).withResponse()
    const expiresAt = Date.parse(data.expires_at)
    const issuedAt = Date.parse(headers.get('date') ?? '')
    const lifetimeMs = expiresAt - (Number.isNaN(issuedAt) ? Date.now() : issuedAt)
    this.#log({ event: 'token', operation: 'authenticate', method: 'POST', path: '/auth' })
    return accessToken(data.access_token, lifetimeMs, this.#clock)
  }

  async #sleep(waitMs: number, { options }: OperationInput, key: string | undefined): Promise<void> {
    await this.#clock.sleep(waitMs, options?.signal).catch(() => {
      throw new AbortError('The call was aborted by your signal before it was retried.', { idempotencyKey: key })
    })
  }

  /** Ignores errors of the logger: they must not fail a request that succeeded. */
  #log(entry: LogEntry): void {
    try {
      this.#options.logger?.(entry)
    } catch {}
  }

  /** Removes secrets. The service echoes neither the secret nor the token, but a proxy in between might. */
  #redact(text: string, token: AccessToken | undefined): string {
    const secrets = [this.#options.clientSecret, token?.value ?? ''].filter((secret) => secret !== '')
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
  }
}

/** Everything needed for one attempt. */
interface PreparedRequest {
  readonly name: string
  readonly operation: Operation
  readonly path: string
  readonly input: OperationInput
  readonly body: string | undefined
  readonly key: string | undefined
  readonly token: AccessToken | undefined
  readonly attempts: number
}

/** Thrown by #sendOnce and caught by #send; never reaches the caller. */
const staleToken = Symbol('stale token')

function headersOf({ body, key, token }: PreparedRequest): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { [keyHeader]: key }),
    ...(token ? { authorization: `Bearer ${token.value}` } : {}),
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.code
  return error instanceof ConnectionError ? error.reason : 'unexpected response'
}
