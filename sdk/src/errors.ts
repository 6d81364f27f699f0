import type { KnownErrorCode } from './generated/operations.ts'
import type { Failure } from './generated/schemas.ts'

/** The codes that are known; new ones may come. */
export type ErrorCode = KnownErrorCode | (string & {})

/** Everything that the client throws. No error holds a secret, a token or a body, nor what a lower layer threw. */
export abstract class InvestorTokenError extends Error {
  /** Spelled out in each class: a bundler may rename the class itself. */
  abstract override readonly name: string
  /** Of the request that failed: name it when you ask us about it. Absent when there was no answer. */
  readonly requestId: string | undefined
  /** The key that the request carried: send it again with this key to be sure that it happens once. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { requestId, idempotencyKey }: ErrorContext = {}) {
    super(message)
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }

  /** For logs: what `JSON.stringify` would leave out of an error. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) }
  }
}

export interface ErrorContext {
  requestId?: string | undefined
  idempotencyKey?: string | undefined
}

/** The call itself is wrong, and nothing was sent. */
export class UsageError extends InvestorTokenError {
  override readonly name: string = 'UsageError'
}

/** There was no answer, or only a part of one. Whether a write happened is not known: send it again with its key. */
export class ConnectionError extends InvestorTokenError {
  override readonly name: string = 'ConnectionError'
  /** What the runtime calls it, such as `ECONNRESET`. */
  readonly reason: string

  constructor(message: string, reason: string, context?: ErrorContext) {
    super(message, context)
    this.reason = reason
  }
}

/** No whole answer came within `timeoutMs`. Whether a write happened is not known: send it again with its key. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
  constructor(message: string, context?: ErrorContext) {
    super(message, 'timeout', context)
  }
}

/** Your signal aborted the call. Whether a write happened is not known. */
export class AbortError extends InvestorTokenError {
  override readonly name: string = 'AbortError'
}

/** Something answered that is not the service, such as a proxy with a page of its own. */
export class UnexpectedAnswerError extends InvestorTokenError {
  override readonly name: string = 'UnexpectedAnswerError'
  readonly status: number

  constructor(message: string, status: number, context?: ErrorContext) {
    super(message, context)
    this.status = status
  }
}

/**
 * The key was used before, for a request with another body. The service has answered as it did then, and has done
 * nothing now: a key was used twice by mistake, or a request was changed between two attempts.
 */
export class PayloadMismatchError extends InvestorTokenError {
  override readonly name: string = 'PayloadMismatchError'
  /** The id of what the earlier request made or changed. */
  readonly earlierId: string | undefined

  constructor(message: string, earlierId: string | undefined, context?: ErrorContext) {
    super(message, context)
    this.earlierId = earlierId
  }
}

export interface ApiErrorFields extends ErrorContext {
  status: number
  code: string
  type: string
  failures: readonly Failure[]
  retryAfterSeconds: number | undefined
}

/** The service refused. Decide by `code`, with `error.is('offering_sold_out')`, or by class. */
export class ApiError<Code extends string = ErrorCode> extends InvestorTokenError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Never changes its meaning. */
  readonly code: Code
  /** The kind of error, such as `invalid_request_error`. */
  readonly type: string
  /** All that is wrong with the request, and where; empty where the request itself is not wrong. */
  readonly failures: readonly Failure[]
  /** How long the service asked to wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields)
    this.status = fields.status
    this.code = fields.code as Code
    this.type = fields.type
    this.failures = fields.failures
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  /** Whether it has one of these codes, and the compiler knows then. */
  is<One extends KnownErrorCode>(...codes: readonly One[]): this is ApiError<One> {
    return (codes as readonly string[]).includes(this.code)
  }
}

/** 400: `failures` says what is wrong and where. Sending it again will not help. */
export class ValidationError extends ApiError {
  override readonly name: string = 'ValidationError'
}
/** 401: the credential or its token is refused. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError'
}
/** 403: the token does not carry the scope. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError'
}
/** 404: your tenant has nothing with this id at this place. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
}
/** 409: the state of things does not allow it. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError'
}
/** 429, still after all retries. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError'
}
/** 5xx, still after all retries. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

const classes = new Map<number, new (message: string, fields: ApiErrorFields) => ApiError>([
  [400, ValidationError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, RateLimitError],
])

export function apiError(message: string, fields: ApiErrorFields): ApiError {
  const Class = classes.get(fields.status) ?? (fields.status >= 500 ? ServerError : ApiError)
  return new Class(message, fields)
}
