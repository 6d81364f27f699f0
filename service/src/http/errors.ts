import { OwnError } from '../base/log.ts'

/** Every code a caller can meet: its status, its type, what causes it and what to do about it. */
export const errorTable = {
  validation_failed: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The request does not have the form that the operation asks for.',
    remedy: 'Read error.errors: each entry names the place and what is expected there. Sending it again will not help.',
  },
  token_missing: {
    status: 401,
    type: 'authentication_error',
    cause: 'The request has no Authorization header of the form "Bearer <ACCESS_TOKEN>".',
    remedy: 'Get a token from POST /auth and send it with every request.',
  },
  token_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'The token was not issued by this service in this environment, or was changed.',
    remedy: 'Get a new token from POST /auth of the same environment.',
  },
  token_expired: {
    status: 401,
    type: 'authentication_error',
    cause: 'The token is older than 600 seconds.',
    remedy: 'Get a new token from POST /auth.',
  },
  token_revoked: {
    status: 401,
    type: 'authentication_error',
    cause: 'The credential or its tenant is disabled, or the token was revoked.',
    remedy: 'Try POST /auth once more; if that is refused too, ask your administrator.',
  },
  invalid_client: {
    status: 401,
    type: 'authentication_error',
    cause: 'There is no such credential, or the secret is not one of its live ones.',
    remedy: 'Check client_id and client_secret, and that they belong to this environment.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    cause: 'The token does not carry a scope that the operation needs.',
    remedy: 'Ask POST /auth for one of the scopes that the message names.',
  },
  scope_not_granted: {
    status: 403,
    type: 'permission_error',
    cause: 'POST /auth was asked for a scope that the credential does not hold.',
    remedy: 'Ask for less, or have an administrator issue a credential with that scope.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    cause: 'Your tenant has nothing with this id at this place.',
    remedy: 'Check the id and, for a nested resource, the parent in the path.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found_error',
    cause: 'There is no operation at this path.',
    remedy: 'Check the path and that it begins with /api or /_api.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    cause: 'The request did not arrive completely in time.',
    remedy: 'Send it again.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    cause: 'Another request with the same idempotency key is being worked on at this moment.',
    remedy: 'Send the same request again after Retry-After seconds: it then gets the answer of the first one.',
  },
  order_not_cancellable: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order is being minted or has been: its tokens can no longer be kept from the chain.',
    remedy: 'Read the order to see its status. There is no way back by this API.',
  },
  offering_not_open: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is closed, or the time in which it is sold has not begun or is over.',
    remedy: 'Read the offering: status, opens_at and closes_at say when it can be bought.',
  },
  offering_sold_out: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order asks for more units than the offering has left.',
    remedy: 'Read available_units of the offering and order no more than that.',
  },
  account_not_approved: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is sold to approved accounts only, and this one is not approved.',
    remedy: 'Have kyc (individual) or kyb (company) of the account approved first.',
  },
  payload_too_large: {
    status: 413,
    type: 'invalid_request_error',
    cause: 'The body is larger than 64 KiB.',
    remedy: 'No legal request is that large: look for what grew.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    cause: 'The body is not sent as application/json in UTF-8.',
    remedy: 'Send the header Content-Type: application/json.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    cause: 'More requests in the last 60 seconds than the limit allows.',
    remedy: 'Wait as many seconds as Retry-After says. The refused request had no effect and does not count.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    cause: 'The request line and headers are larger than 16 KiB together.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    cause: 'A fault of ours.',
    remedy: 'Send it again with the same idempotency key; if it stays, tell us the X-Request-Id.',
  },
  unavailable: {
    status: 503,
    type: 'api_error',
    cause: 'The service cannot answer now: it is overloaded or a database is away.',
    remedy: 'Wait as many seconds as Retry-After says, then send it again with the same idempotency key.',
  },
} as const satisfies Record<string, { status: number; type: string; cause: string; remedy: string }>

export type ErrorCode = keyof typeof errorTable

/** One thing wrong with a request, and where: in the body (JSON pointer), in the query or path, or in a header. */
export type Failure =
  | { detail: string; pointer: string }
  | { detail: string; parameter: string }
  | { detail: string; header: string }

/** A refusal that the caller may see. Anything else that is thrown is a bug and answers 500 without its text. */
export class ApiError extends OwnError {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly failures: readonly Failure[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: { failures?: readonly Failure[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.failures = more.failures
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return errorTable[this.code].status
  }

  /** Exactly the members that the contract allows, absent rather than null. */
  toBody(): { error: { type: string; message: string; code: string; errors?: readonly Failure[] } } {
    return {
      error: {
        type: errorTable[this.code].type,
        message: this.message,
        code: this.code,
        ...(this.failures ? { errors: this.failures } : {}),
      },
    }
  }
}

export function validationFailed(failures: readonly Failure[]): ApiError {
  const [first] = failures
  const more = failures.length > 1 ? ` There are ${failures.length} failures; error.errors lists them.` : ''
  return new ApiError('validation_failed', `${first?.detail ?? 'The request is not valid.'}${more}`, { failures })
}

/** Retry-After in seconds for what passes soon: a failover, a burst. */
const retrySoonSeconds = 2

export function unavailable(message: string): ApiError {
  return new ApiError('unavailable', message, { headers: { 'retry-after': String(retrySoonSeconds) } })
}
