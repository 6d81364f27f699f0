import { ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts'

export const retriesDefault = 5
// A call should not sleep longer than this. The error contains `retryAfterSeconds`, so the caller can decide to wait.
const retryAfterMaxSeconds = 120
const backoffFirstMs = 500
const backoffMaxMs = 8_000

/**
 * Returns the delay before the next attempt, or undefined if the request must not be retried. `isIdempotent` means that
 * sending the request twice has the same effect as sending it once. A request rejected with 429 or
 * `idempotency_in_progress` had no effect, so it can always be retried.
 */
export function retryWaitMs(error: unknown, retry: number, isIdempotent: boolean): number | undefined {
  if (error instanceof ConnectionError) return isIdempotent ? backoffMs(retry) : undefined
  if (error instanceof UnexpectedResponseError)
    return error.status >= 500 && isIdempotent ? backoffMs(retry) : undefined
  if (!(error instanceof ApiError)) return undefined
  const hadNoEffect = error.status === 429 || error.code === 'idempotency_in_progress'
  if (!hadNoEffect && !(error.status >= 500 && isIdempotent)) return undefined
  if (error.retryAfterSeconds === undefined) return backoffMs(retry)
  if (error.retryAfterSeconds > retryAfterMaxSeconds) return undefined
  // At least Retry-After, plus jitter so that clients do not retry at the same moment.
  return error.retryAfterSeconds * 1000 + Math.random() * backoffFirstMs
}

/** Returns an exponential backoff. Half of it is random, so that clients that failed together do not retry together. */
function backoffMs(retry: number): number {
  const upperMs = Math.min(backoffMaxMs, backoffFirstMs * 2 ** retry)
  return upperMs / 2 + (Math.random() * upperMs) / 2
}

/** Returns how long the client pauses after a 429. Capped, so that a huge Retry-After cannot block it. */
export function pauseMs(header: string | null): number {
  return 1000 * Math.min(retryAfterSeconds(header) ?? 1, retryAfterMaxSeconds)
}

/** Parses a Retry-After header: whole seconds or an HTTP date. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
