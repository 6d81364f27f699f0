import type { KnownErrorCode } from './generated/operations.ts'
import type { EventsRestored, Failure } from './generated/schemas.ts'

/** Editors suggest the known codes; the API may add new ones. */
export type ErrorCode = KnownErrorCode | (string & {})

/** Base class of all errors that the client throws. They contain no secret, token, body or underlying error. */
export abstract class InvestorTokenError extends Error {
  /** Set explicitly in each class, because a bundler may rename the class itself. */
  abstract override readonly name: string
  /** The id of the failed request; quote it when you contact support. Undefined if there was no response. */
  readonly requestId: string | undefined
  /** The request's key. Retry with this key, so the write happens only once. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { requestId, idempotencyKey }: ErrorContext = {}) {
    super(message)
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }

  /** For logs: adds the members that `JSON.stringify` would omit from an error. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) }
  }
}

export interface ErrorContext {
  requestId?: string | undefined
  idempotencyKey?: string | undefined
}

/** The arguments of the call are wrong; nothing was sent. */
export class UsageError extends InvestorTokenError {
  override readonly name: string = 'UsageError'
}

/** There was no complete response. A write may or may not have happened: retry it with the same key. */
export class ConnectionError extends InvestorTokenError {
  override readonly name: string = 'ConnectionError'
  /** The runtime's error code or name, such as `ECONNRESET`. */
  readonly reason: string

  constructor(message: string, reason: string, context?: ErrorContext) {
    super(message, context)
    this.reason = reason
  }
}

/** There was no complete response within `timeoutMs`. A write may or may not have happened: retry with the same key. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
  constructor(message: string, context?: ErrorContext) {
    super(message, 'timeout', context)
  }
}

/** Your signal aborted the call. A write may or may not have happened. */
export class AbortError extends InvestorTokenError {
  override readonly name: string = 'AbortError'
}

/** The response is not from this API, such as an error page of a proxy. */
export class UnexpectedResponseError extends InvestorTokenError {
  override readonly name: string = 'UnexpectedResponseError'
  readonly status: number

  constructor(message: string, status: number, context?: ErrorContext) {
    super(message, context)
    this.status = status
  }
}

/**
 * The idempotency key was already used with a different body. The service replayed its first response and did nothing
 * else: either the key was reused by mistake, or the body was changed between two attempts.
 */
export class PayloadMismatchError extends InvestorTokenError {
  override readonly name: string = 'PayloadMismatchError'
  /** The id of the resource that the earlier request created or changed. */
  readonly earlierId: string | undefined

  constructor(message: string, earlierId: string | undefined, context?: ErrorContext) {
    super(message, context)
    this.earlierId = earlierId
  }
}

/**
 * The service was restored to an earlier moment. Everything between `restoredTo` and the restore is lost, even if you
 * have received its events. Read your accounts, orders and wallets again, repeat the missing writes, then continue with
 * `events.after(error.sequence)`.
 */
export class EventsRestoredError extends InvestorTokenError {
  override readonly name: string = 'EventsRestoredError'
  /** Everything up to this moment still exists. */
  readonly restoredTo: string
  /** Events with a larger number than this one, and a smaller one than `sequence`, no longer exist. */
  readonly keptSequence: number
  /** Continue after this number. */
  readonly sequence: number

  constructor(restored: EventsRestored) {
    super(
      `The service was restored to ${restored.restored_to}: read your data again, then continue after event ` +
        `${restored.sequence}.`,
    )
    this.restoredTo = restored.restored_to
    this.keptSequence = restored.kept_sequence
    this.sequence = restored.sequence
  }
}

export interface ApiErrorFields extends ErrorContext {
  status: number
  code: string
  type: string
  failures: readonly Failure[]
  retryAfterSeconds: number | undefined
}

/** The service rejected the request. Branch on `code`, with `error.is('offering_sold_out')`, or on the class. */
export class ApiError<Code extends string = ErrorCode> extends InvestorTokenError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** The meaning of a code never changes. */
  readonly code: Code
  /** The category of the error, such as `invalid_request_error`. */
  readonly type: string
  /** Everything that is wrong with the request, and where. Empty if the request itself is valid. */
  readonly failures: readonly Failure[]
  /** The `Retry-After` of the response, in seconds. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields)
    this.status = fields.status
    this.code = fields.code as Code
    this.type = fields.type
    this.failures = fields.failures
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  /** Returns true if `code` is one of these, and narrows its type. */
  is<One extends KnownErrorCode>(...codes: readonly One[]): this is ApiError<One> {
    return (codes as readonly string[]).includes(this.code)
  }
}

/** 400: `failures` lists what is wrong and where. Do not retry the same request. */
export class ValidationError extends ApiError {
  override readonly name: string = 'ValidationError'
}
/** 401: the credential or its token is not valid. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError'
}
/** 403: the token does not have the scope. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError'
}
/** 404: your tenant has no resource with this id at this path. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
}
/** 409: the current state of the resource does not allow the operation. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError'
}
/** 429, after all retries. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError'
}
/** 5xx, after all retries. */
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
