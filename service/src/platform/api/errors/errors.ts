import { LoggableError } from '../../base/log.ts'
import type { DeclaredError } from './declare-errors.ts'
import { requestErrors } from './request.errors.ts'

/** One validation failure and its location: in the body (JSON pointer), in the query or path, or in a header. */
export type Failure =
  | { detail: string; pointer: string }
  | { detail: string; parameter: string }
  | { detail: string; header: string }

/** Identity that a rejected caller claims, for the log. Ids only: never a secret, nor text that could be one. */
export interface PresentedIdentity {
  readonly clientId?: string | undefined
  readonly tokenId?: string | undefined
  readonly userId?: string
  readonly tenantId?: string
}

/** An error that the caller may see. Any other exception is a bug: the response is a 500 without its message. */
export class ApiError extends LoggableError {
  override readonly name = 'ApiError'
  readonly declared: DeclaredError
  readonly failures: readonly Failure[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly presented: PresentedIdentity | undefined

  constructor(
    declared: DeclaredError,
    message: string,
    more: { failures?: readonly Failure[]; headers?: Record<string, string>; presented?: PresentedIdentity } = {},
  ) {
    // The stack is never shown or logged, and collecting it would be a quarter of the cost of rejecting a request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.declared = declared
    this.failures = more.failures
    this.headers = more.headers ?? {}
    this.presented = more.presented
  }

  get code(): string {
    return this.declared.code
  }

  get status(): number {
    return this.declared.status
  }

  /** Returns exactly the members of the contract; optional ones are absent, not null. */
  toBody(): { error: { type: string; message: string; code: string; errors?: readonly Failure[] } } {
    return {
      error: {
        type: this.declared.type,
        message: this.message,
        code: this.code,
        ...(this.failures ? { errors: this.failures } : {}),
      },
    }
  }
}

export function validationFailed(failures: readonly Failure[]): ApiError {
  const [first] = failures
  const more = failures.length > 1 ? ` error.errors lists all ${failures.length} failures.` : ''
  return new ApiError(requestErrors.validation_failed, `${first?.detail ?? 'The request is not valid.'}${more}`, {
    failures,
  })
}

/** Retry-After for short outages: a failover, a burst. */
const retrySoonSeconds = 2

export function unavailable(message: string): ApiError {
  return new ApiError(requestErrors.unavailable, message, { headers: { 'retry-after': String(retrySoonSeconds) } })
}
