/** An error response of the API, or a request without a response. The message is written for people. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  /** Operators give it to support, who find it in the service's log. */
  readonly requestId: string | undefined
  /** Errors in single fields. */
  readonly failures: readonly string[]
  /** The same errors by field of the body, such as `price_per_token`. */
  readonly fieldFailures: Readonly<Record<string, string>>

  /** Delay that the service asks for before a retry. */
  readonly retryAfterMs: number

  constructor(status: number, code: string, message: string, details: ProblemDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = details.requestId
    this.failures = details.failures ?? []
    this.fieldFailures = details.fieldFailures ?? {}
    this.retryAfterMs = details.retryAfterMs ?? 0
  }
}

type ProblemDetails = Partial<Pick<Problem, 'requestId' | 'failures' | 'fieldFailures' | 'retryAfterMs'>>

interface ErrorBody {
  error?: { code?: string; message?: string; errors?: { detail: string; pointer?: string }[] }
}

export async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = (await response.json().catch(() => ({}))) as ErrorBody
  const { code = 'unknown', message = `The service responded with status ${response.status}.` } = body.error ?? {}
  const errors = body.error?.errors ?? []
  const byField = errors.flatMap(({ detail, pointer }) => (pointer ? [[pointer.split('/')[1], detail]] : []))
  return new Problem(response.status, code, message, {
    requestId,
    failures: errors.map(({ detail }) => detail),
    fieldFailures: Object.fromEntries(byField),
    // A proxy may send a date, which is not worth parsing.
    retryAfterMs: (Number(response.headers.get('retry-after')) || 0) * 1_000,
  })
}

/** The request may or may not have reached the service. Repeating it with the same idempotency key is safe. */
export function unreachable(): Problem {
  return new Problem(0, 'unreachable', 'The service did not respond. Check the connection and try again.')
}

/** The request had no effect. */
export function sessionEnded(): Problem {
  return new Problem(401, 'session_ended', 'Your session has ended. Sign in again, then repeat this.')
}

/** Returns true if a retry with the same idempotency key may succeed once the connection is back. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Problem && error.status === 0
}

/** Returns true if a retry may soon succeed: nothing responded, or the service or a proxy in front of it is busy. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  // Heavy requests run one at a time, and a colleague's is still running.
  return error.status === 0 || error.status === 503 || error.code === 'heavy_request_running'
}

/** Returns at most half a minute, because a person is waiting. */
export function retryAfterOf(error: unknown): number {
  return error instanceof Problem ? Math.min(error.retryAfterMs, 30_000) : 0
}
