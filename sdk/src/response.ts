import type { RawResponse } from './attempt.ts'
import { apiError, type ErrorContext, PayloadMismatchError, UnexpectedResponseError } from './errors.ts'
import type { Error as ErrorBody } from './generated/schemas.ts'
import { withUnits } from './json.ts'
import { retryAfterSeconds } from './retry.ts'

/** Parses a response: returns the data of a success and throws an error otherwise. `redact` removes secrets from it. */
export function readResponse(
  name: string,
  { status, headers, text }: RawResponse,
  { idempotencyKey }: ErrorContext,
  redact: (text: string) => string,
): unknown {
  const context = { idempotencyKey, requestId: headers.get('x-request-id') ?? undefined }
  const body = parse(text)
  if (status >= 400 && isErrorBody(body)) {
    const { code, type, message, errors = [] } = body.error
    const failures = errors.map((failure) => ({ ...failure, detail: redact(failure.detail) }))
    const retryAfter = retryAfterSeconds(headers.get('retry-after'))
    throw apiError(redact(message), { ...context, status, code, type, failures, retryAfterSeconds: retryAfter })
  }
  if (status < 200 || status >= 300 || body === undefined)
    throw new UnexpectedResponseError(
      `${name} got a response with status ${status} that is not from this API. Check baseUrl and any proxy between.`,
      status,
      context,
    )
  if (headers.get('idempotency-payload-mismatch') === 'true') throw payloadMismatch(name, body, context)
  return withUnits(body)
}

function payloadMismatch(name: string, body: unknown, context: ErrorContext): PayloadMismatchError {
  const { id } = (body ?? {}) as { id?: unknown }
  const message =
    `${name} had no effect: its idempotency key was already used with a different body. ` +
    'Use a new key for a new request, and the same body when you retry one.'
  return new PayloadMismatchError(message, typeof id === 'string' ? id : undefined, context)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } }
  return typeof error?.code === 'string' && typeof error.message === 'string'
}
