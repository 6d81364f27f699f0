import type { RawAnswer } from './attempt.ts'
import { apiError, type ErrorContext, PayloadMismatchError, UnexpectedAnswerError } from './errors.ts'
import type { Error as ErrorBody } from './generated/schemas.ts'
import { withUnits } from './json.ts'
import { retryAfterSeconds } from './retry.ts'

/** What a successful answer says, or the error that it is. `redact` takes out what no error may hold. */
export function readAnswer(
  name: string,
  { status, headers, text }: RawAnswer,
  { idempotencyKey }: ErrorContext,
  redact: (text: string) => string,
): unknown {
  const context = { idempotencyKey, requestId: headers.get('x-request-id') ?? undefined }
  const body = parse(text)
  if (status >= 400 && isErrorBody(body)) {
    const { code, type, message, errors = [] } = body.error
    const failures = errors.map((failure) => ({ ...failure, detail: redact(failure.detail) }))
    const wait = retryAfterSeconds(headers.get('retry-after'))
    throw apiError(redact(message), { ...context, status, code, type, failures, retryAfterSeconds: wait })
  }
  if (status < 200 || status >= 300 || body === undefined)
    throw new UnexpectedAnswerError(
      `${name} was answered with status ${status} and no JSON of this API. Is baseUrl right, and what stands before it?`,
      status,
      context,
    )
  if (headers.get('idempotency-payload-mismatch') === 'true') throw payloadMismatch(name, body, context)
  return withUnits(body)
}

function payloadMismatch(name: string, body: unknown, context: ErrorContext): PayloadMismatchError {
  const { id } = (body ?? {}) as { id?: unknown }
  const message =
    `${name} did nothing: its idempotency key was used before, with another body. ` +
    'Use a new key for a new request, and send the same body when you repeat one.'
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
