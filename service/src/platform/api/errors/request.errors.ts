import { declareErrors } from './declare-errors.ts'

/** Errors that any request can meet. */
export const requestErrors = declareErrors({
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
    remedy: 'Send one with every request: integrators get it from POST /auth, admins have a personal one.',
  },
  token_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'The token was not issued by this service in this environment, or was changed.',
    remedy: 'Get a new token from POST /auth of the same environment, or have a new personal one made.',
  },
  token_expired: {
    status: 401,
    type: 'authentication_error',
    cause: 'The token has ended: an access token after 600 seconds, a personal one on its day.',
    remedy: 'Get a new token from POST /auth, or have a new personal one made.',
  },
  token_revoked: {
    status: 401,
    type: 'authentication_error',
    cause: 'The credential or its tenant is disabled, the admin removed, or the token revoked.',
    remedy: 'Try POST /auth once more; if that is refused, or the token is personal, ask your admin.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    cause: 'The token does not carry a scope that the operation needs.',
    remedy: 'Ask POST /auth for one of the scopes that the message names.',
  },
  insufficient_role: {
    status: 403,
    type: 'permission_error',
    cause: 'The role of the admin does not allow the operation.',
    remedy: 'Ask an admin of your tenant to do it, or to give you the role that the message names.',
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
    remedy: 'Check the path and that it begins as the message says.',
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
  payload_too_large: {
    status: 413,
    type: 'invalid_request_error',
    cause: 'The body is larger than 64 KiB, or a file larger than its operation says.',
    remedy: 'No legal request is that large: look for what grew. Ask the bank for a file in parts.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    cause: 'The body is not sent as application/json in UTF-8, or a file not as its operation says.',
    remedy: 'Send the header Content-Type: application/json, or the one of the file.',
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
  signature_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'The signature is not that of a payment provider of this address, or is more than five minutes old.',
    remedy: 'Check the address, the secret and your clock, and sign the bytes of the body as they are sent.',
  },
})
