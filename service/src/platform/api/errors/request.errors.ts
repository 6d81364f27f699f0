import { declareErrors } from './declare-errors.ts'

/** Errors of the pipeline, which any operation can return. */
export const requestErrors = declareErrors({
  validation_failed: {
    status: 400,
    cause: 'The request does not match the schema of the operation.',
    remedy: 'Read error.errors: each entry names a field and the rule it breaks. Do not retry without a change.',
  },
  token_missing: {
    status: 401,
    cause: 'The request has no Authorization header of the form "Bearer <ACCESS_TOKEN>".',
    remedy:
      'Send one with every request: integrators get it from POST /auth, operator users have a personal access token.',
  },
  token_invalid: {
    status: 401,
    cause: 'The token was not issued by this service in this environment, or was modified.',
    remedy: 'Get a new token from POST /auth of the same environment, or a new personal access token from an admin.',
  },
  token_expired: {
    status: 401,
    cause: 'The token has expired: an access token after 600 seconds, a personal access token on its expiry date.',
    remedy: 'Get a new token from POST /auth, or a new personal access token from an admin.',
  },
  token_revoked: {
    status: 401,
    cause: 'The credential or its tenant is disabled, the user was removed, or the token was revoked.',
    remedy: 'Call POST /auth again. If that fails, or the token is a personal access token, contact your admin.',
  },
  status_changed: {
    status: 409,
    cause: 'The resource is no longer in the `expected_status`: another person or the service has changed it.',
    remedy: 'Read the resource. The message has its status, and who last changed it. Decide again.',
  },
  insufficient_scope: {
    status: 403,
    cause: 'The token does not have a scope that the operation needs.',
    remedy: 'Request one of the scopes in the message from POST /auth.',
  },
  insufficient_duty: {
    status: 403,
    cause: 'The user does not have the duty that the operation needs, or not for this offering.',
    remedy: 'Ask a user who has the duty to do it, or a user with the duty `team` to propose it for you.',
  },
  session_expired: {
    status: 401,
    cause: 'The session ended: it was idle for 30 minutes, is older than 10 hours, or was revoked.',
    remedy: 'Sign in again.',
  },
  cross_site_request: {
    status: 403,
    cause: 'A request with a session cookie did not come from a page of this service.',
    remedy: 'Send the header X-Console: 1 from a page of the same origin, or use a personal access token.',
  },
  session_required: {
    status: 403,
    cause: 'The operation needs a signed-in person; a personal access token is not enough.',
    remedy: 'Sign in and repeat the request in the session.',
  },
  step_up_needed: {
    status: 403,
    cause: 'The operation needs a passkey that was used within the last five minutes.',
    remedy: 'Use your passkey and repeat the request with the same idempotency key.',
  },
  subject_changed: {
    status: 409,
    cause: 'What a proposal concerns has changed since it was made.',
    remedy: 'Read the subject, and propose the change again if it is still needed.',
  },
  too_many_proposals: {
    status: 409,
    cause: 'The proposer, or the tenant, has as many proposals that wait for a second person as it may have.',
    remedy: 'Have some of them confirmed or rejected, or withdraw those that are no longer needed.',
  },
  not_found: {
    status: 404,
    cause: 'Your tenant does not have a resource with this id at this path.',
    remedy: 'Check the id and, for a nested resource, the parent in the path.',
  },
  route_not_found: {
    status: 404,
    cause: 'No operation has this path.',
    remedy: 'Check the path and its prefix; the message names the valid prefixes.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path exists, but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    cause: 'The request did not arrive completely before the timeout.',
    remedy: 'Retry the request.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    cause: 'Another request with the same idempotency key is still in progress.',
    remedy: 'Retry the same request after Retry-After seconds to get the response of the first one.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body is larger than 64 KiB, or a file is larger than its operation allows.',
    remedy: 'No valid JSON request is that large: check what grew. Ask the bank to split a file.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The body is not application/json in UTF-8, or a file does not have a media type of its operation.',
    remedy: 'Send the header Content-Type: application/json, or the media type of the file.',
  },
  rate_limited: {
    status: 429,
    cause:
      'The caller sent more requests in the last 60 seconds than its limit allows, or it or its tenant has as many ' +
      'in progress at once as allowed.',
    remedy: 'Retry after Retry-After seconds. The rejected request had no effect and does not count.',
  },
  heavy_request_running: {
    status: 429,
    cause: 'Requests that read much run one at a time for a tenant, and a few at a time in a database.',
    remedy: 'Retry after Retry-After seconds. The rejected request had no effect.',
  },
  too_many_streams: {
    status: 429,
    cause: 'The person, or the tenant, has as many open streams in this process as one may have.',
    remedy: 'Close one of them. A browser needs one for all its tabs.',
  },
  too_many_uploads: {
    status: 429,
    cause: 'The tenant is uploading as many files to this process as one tenant may at once.',
    remedy: 'Retry when one of the uploads is done.',
  },
  headers_too_large: {
    status: 431,
    cause: 'The request line and headers together are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    cause: 'The service failed with an internal error.',
    remedy: 'Retry with the same idempotency key. If it persists, contact us with the X-Request-Id.',
  },
  unavailable: {
    status: 503,
    cause: 'The service is overloaded or a database is down.',
    remedy: 'Retry after Retry-After seconds with the same idempotency key.',
  },
  signature_invalid: {
    status: 401,
    cause: 'The signature is missing, not from the payment provider of this URL, or more than five minutes old.',
    remedy: 'Check the URL, the secret and your clock, and sign the exact bytes of the body that you send.',
  },
})
