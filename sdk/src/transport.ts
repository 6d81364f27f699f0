import { type AccessToken, accessToken, isUsable, TokenSource } from './access-token.ts'
import { readAnswer } from './answer.ts'
import { attempt } from './attempt.ts'
import { type Answered, Call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { AbortError, ApiError, ConnectionError } from './errors.ts'
import { allScopes, apiVersion, keyHeader, type Operation, operations } from './generated/operations.ts'
import type { Answers } from './generated/schemas.ts'
import { toJson } from './json.ts'
import type { ClientOptions, LogEntry, WriteOptions } from './options.ts'
import { pauseMs, retriesDefault, retryWaitMs } from './retry.ts'
import { Throttle } from './throttle.ts'
import { baseUrlOf, pathOf, queryOf, requireKey } from './url.ts'
import { userAgent } from './version.ts'

export interface Sending {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string | number | undefined>
  readonly body?: unknown
  readonly options?: WriteOptions | undefined
}

export type OperationName = keyof typeof operations

const timeoutDefaultMs = 30_000
// Sending these again does nothing more: reads, a cancellation of what is cancelled, another token.
const isRepeatableWithoutKey: ReadonlySet<string> = new Set<OperationName>(['authenticate', 'cancelOrder'])

/** Sends requests as the service wants them: with a token, no faster than allowed, again where that helps. */
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

  call<Name extends OperationName>(name: Name, sending: Sending = {}): Call<Answers[Name]> {
    const operation: Operation = operations[name]
    const key = operation.takesKey ? (sending.options?.idempotencyKey ?? crypto.randomUUID()) : undefined
    return new Call(this.#send<Answers[Name]>(name, sending, key), key)
  }

  async #send<Data>(name: OperationName, sending: Sending, key: string | undefined): Promise<Answered<Data>> {
    const operation: Operation = operations[name]
    if (key !== undefined) requireKey(key)
    const { options = {} } = sending
    const { signal, maxRetries = this.#options.maxRetries ?? retriesDefault } = options
    const path = pathOf(operation.path, sending.params)
    const body = sending.body === undefined ? undefined : toJson(sending.body)
    const log = { operation: name, method: operation.method, path }
    const isRepeatable = operation.method === 'GET' || key !== undefined || isRepeatableWithoutKey.has(name)
    let retries = 0
    let isTokenRenewed = false
    for (let attempts = 1; ; attempts += 1) {
      const token = name === 'authenticate' ? undefined : await this.#tokens.get(signal)
      try {
        return await this.#sendOnce<Data>({ name, operation, path, sending, body, key, token, attempts })
      } catch (error) {
        // It waited for its turn so long that the token has to be renewed first; it was not sent.
        if (error === staleToken) continue
        if (token && !isTokenRenewed && error instanceof ApiError && error.status === 401) {
          this.#tokens.drop(token)
          isTokenRenewed = true
          continue
        }
        const waitMs = retries < maxRetries ? retryWaitMs(error, retries, isRepeatable) : undefined
        if (waitMs === undefined) throw error
        retries += 1
        this.#log({ ...log, event: 'retry', attempt: attempts, waitMs, reason: reasonOf(error) })
        await this.#sleep(waitMs, sending, key)
      }
    }
  }

  async #sendOnce<Data>(one: One): Promise<Answered<Data>> {
    const { name, operation, path, sending, body, key, token, attempts } = one
    const { signal, timeoutMs = this.#options.timeoutMs ?? timeoutDefaultMs } = sending.options ?? {}
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
    let isAnswered = false
    try {
      const raw = await attempt(this.#options.fetch ?? fetch, this.#clock, {
        name: title,
        url: this.#baseUrl + path + queryOf(sending.query),
        request: { method: operation.method, headers: headersOf(one), ...(body === undefined ? {} : { body }) },
        timeoutMs,
        signal,
        context: { idempotencyKey: key },
      })
      const requestId = raw.headers.get('x-request-id') ?? undefined
      const durationMs = this.#clock.now() - startedAt
      const answer = { status: raw.status, durationMs, ...(requestId === undefined ? {} : { requestId }) }
      this.#log({ ...log, event: 'answer', ...answer })
      isAnswered = true
      if (raw.status === 429) slot.refused(pauseMs(raw.headers.get('retry-after')))
      else slot.answered(raw.headers)
      const data = readAnswer(title, raw, { idempotencyKey: key }, (text) => this.#redact(text, token)) as Data
      const isReplay = raw.headers.get('idempotency-replayed') === 'true'
      return { data, status: raw.status, headers: raw.headers, requestId, idempotencyKey: key, isReplay, attempts }
    } catch (error) {
      if (!isAnswered) slot.answered()
      throw error
    }
  }

  /** Its life is counted from the service's own clock to its own end, so that ours may be wrong. */
  async #requestToken(): Promise<AccessToken> {
    const { clientId, clientSecret, scopes = allScopes } = this.#options
    const body = { client_id: clientId, client_secret: clientSecret, scopes, api_version: apiVersion }
    const { data, headers } = await this.call('authenticate', { body }).withResponse()
    const endsAt = Date.parse(data.expires_at)
    const issuedAt = Date.parse(headers.get('date') ?? '')
    const lifeMs = endsAt - (Number.isNaN(issuedAt) ? Date.now() : issuedAt)
    this.#log({ event: 'token', operation: 'authenticate', method: 'POST', path: '/auth' })
    return accessToken(data.access_token, lifeMs, this.#clock)
  }

  async #sleep(waitMs: number, { options }: Sending, key: string | undefined): Promise<void> {
    await this.#clock.sleep(waitMs, options?.signal).catch(() => {
      throw new AbortError('The call was aborted by your signal before it was sent again.', { idempotencyKey: key })
    })
  }

  /** A logger that throws must not make a request fail that has succeeded. */
  #log(entry: LogEntry): void {
    try {
      this.#options.logger?.(entry)
    } catch {}
  }

  /** The service echoes neither; whatever stands between may. */
  #redact(text: string, token: AccessToken | undefined): string {
    const hidden = [this.#options.clientSecret, token?.value ?? ''].filter((secret) => secret !== '')
    return hidden.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
  }
}

/** One sending of a request. */
interface One {
  readonly name: string
  readonly operation: Operation
  readonly path: string
  readonly sending: Sending
  readonly body: string | undefined
  readonly key: string | undefined
  readonly token: AccessToken | undefined
  readonly attempts: number
}

/** Not an error that anybody sees. */
const staleToken = Symbol('stale token')

function headersOf({ body, key, token }: One): Record<string, string> {
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
  return error instanceof ConnectionError ? error.reason : 'unexpected answer'
}
