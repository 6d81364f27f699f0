import { ApiError, ConnectionError, UnexpectedResponseError, UsageError } from '@investor-token/sdk'
import { exitCodes, Failure } from '../base/failure.ts'
import { host } from '../base/host.ts'
import { interrupted, pause } from '../base/interruption.ts'
import { escapeControlCharacters, note, paint } from '../base/terminal.ts'
import { cliVersion } from '../base/version.ts'
import type { OperatorProfile } from '../session/profiles.ts'

export interface OperatorRequest {
  readonly method: string
  /** Path without the prefix, with ids filled in. */
  readonly path: string
  readonly query?: URLSearchParams
  readonly body?: { readonly type: string; readonly content: string | Blob }
  readonly idempotencyKey?: string
  /** True for a file or a stream, which has no timeout. */
  readonly isFile?: boolean
}

// Keeps the delay at a few seconds, because a user is waiting and can repeat the command.
const retriesMax = 3
const timeoutMs = 60_000
const retryAfterMaxSeconds = 30

/** Sends requests to the operator API with a personal access token. Retries them where that is safe. */
export class OperatorClient {
  readonly #baseUrl: string
  readonly #token: string | undefined
  readonly #isDebugging: boolean

  constructor(
    profile: Pick<OperatorProfile, 'base_url' | 'allow_http'> & { token?: string },
    { debug = false }: { debug?: boolean | undefined } = {},
  ) {
    this.#baseUrl = operatorUrlOf(profile)
    this.#token = profile.token
    this.#isDebugging = debug
  }

  /** Returns a successful response. Throws the same errors as the SDK. */
  async send(request: OperatorRequest): Promise<Response> {
    const isRepeatable = request.method === 'GET' || request.idempotencyKey !== undefined
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#attempt(request)
      } catch (error) {
        const waitMs = retry < retriesMax ? waitMsOf(error, retry, isRepeatable) : undefined
        if (waitMs === undefined || interrupted.aborted) throw error
        note(
          paint('dim', `${request.method} ${request.path}: retrying in ${Math.ceil(waitMs / 1000)} s …`, host().stderr),
        )
        await pause(waitMs)
      }
    }
  }

  async json(request: OperatorRequest): Promise<{ data: unknown; response: Response }> {
    const response = await this.send(request)
    return { data: await parsed(response), response }
  }

  async #attempt({ method, path, query, body, idempotencyKey, isFile }: OperatorRequest): Promise<Response> {
    const name = `${method} ${path}`
    const search = query && query.size > 0 ? `?${query.toString()}` : ''
    const began = performance.now()
    const response = await fetch(`${this.#baseUrl}${path}${search}`, {
      method,
      // Following a redirect could send the token to another host.
      redirect: 'manual',
      signal: isFile ? interrupted : AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)]),
      headers: {
        'user-agent': `investor-token/${cliVersion}`,
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body ? { 'content-type': body.type } : {}),
        ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
      },
      ...(body ? { body: body.content } : {}),
    }).catch((error: unknown) => {
      throw connectionError(name, error, idempotencyKey)
    })
    if (this.#isDebugging) {
      const took = `${Math.round(performance.now() - began)} ms, request ${response.headers.get('x-request-id')}`
      note(paint('dim', escapeControlCharacters(`${name} ${response.status} in ${took}`), host().stderr))
    }
    if (response.status >= 200 && response.status < 300) return response
    throw await errorOf(name, response, idempotencyKey)
  }
}

/** Returns the URL of the operator API, which is always /operator below the origin. */
function operatorUrlOf({ base_url, allow_http }: Pick<OperatorProfile, 'base_url' | 'allow_http'>): string {
  const url = URL.parse(base_url)
  if (!url) throw new UsageError('The URL of the operator API must look like https://operators.example.com.')
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocal || allow_http)))
    throw new UsageError('The URL must begin with https://, or the token could be intercepted. See --allow-http.')
  return `${url.origin}/operator`
}

async function parsed(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new UnexpectedResponseError('The response is not from the operator API. Check the URL.', response.status)
  }
}

async function errorOf(name: string, response: Response, idempotencyKey: string | undefined): Promise<Error> {
  const { status, headers } = response
  const context = { idempotencyKey, requestId: headers.get('x-request-id') ?? undefined }
  const { error } = ((await response.json().catch(() => undefined)) ?? {}) as {
    error?: { code: string; type: string; message: string; errors?: ApiError['failures'] }
  }
  if (status < 400 || typeof error?.code !== 'string')
    return new UnexpectedResponseError(
      `${name} got a response with status ${status} that is not from the operator API. Check the URL.`,
      status,
      context,
    )
  const { code, type, message, errors: failures = [] } = error
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined
  return new ApiError(message, { ...context, status, code, type, failures, retryAfterSeconds })
}

function connectionError(name: string, error: unknown, idempotencyKey: string | undefined): Error {
  if (interrupted.aborted) return new Failure(exitCodes.interrupted, 'Interrupted.')
  const { code, name: kind, cause } = (error ?? {}) as { code?: string; name?: string; cause?: { code?: string } }
  const reason = cause?.code ?? code ?? kind ?? 'unknown'
  return new ConnectionError(`${name} got no complete response (${reason}).`, reason, { idempotencyKey })
}

/** A rejection with 429 had no effect. Anything else is retried only if a retry is harmless. */
function waitMsOf(error: unknown, retry: number, isRepeatable: boolean): number | undefined {
  const backoffMs = 500 * 2 ** retry
  if (error instanceof ConnectionError) return isRepeatable ? backoffMs : undefined
  if (!(error instanceof ApiError)) return undefined
  if (error.status !== 429 && !(error.status >= 500 && isRepeatable)) return undefined
  if (error.retryAfterSeconds === undefined) return backoffMs
  return error.retryAfterSeconds <= retryAfterMaxSeconds ? error.retryAfterSeconds * 1000 + backoffMs / 2 : undefined
}
