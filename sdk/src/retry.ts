import { ApiError, ConnectionError, UnexpectedAnswerError } from './errors.ts'

export const retriesDefault = 5
// Nobody expects a call to sleep longer than that: the error tells how long, and the caller decides.
const retryAfterMaxSeconds = 120
const backoffFirstMs = 500
const backoffMaxMs = 8_000

/**
 * How long to wait before the request is sent again, or undefined when it must not be. `isRepeatable`: sending it twice
 * does no more than sending it once. What the service refused it did not do, so a refusal can be sent again always.
 */
export function retryWaitMs(error: unknown, retry: number, isRepeatable: boolean): number | undefined {
  if (error instanceof ConnectionError) return isRepeatable ? backoffMs(retry) : undefined
  if (error instanceof UnexpectedAnswerError) return error.status >= 500 && isRepeatable ? backoffMs(retry) : undefined
  if (!(error instanceof ApiError)) return undefined
  const isRefusal = error.status === 429 || error.code === 'idempotency_in_progress'
  if (!isRefusal && !(error.status >= 500 && isRepeatable)) return undefined
  if (error.retryAfterSeconds === undefined) return backoffMs(retry)
  if (error.retryAfterSeconds > retryAfterMaxSeconds) return undefined
  // Never earlier than asked, and not all at the same moment.
  return error.retryAfterSeconds * 1000 + Math.random() * backoffFirstMs
}

/** Twice as long each time, and half of it at random, so that clients which failed together do not return together. */
function backoffMs(retry: number): number {
  const most = Math.min(backoffMaxMs, backoffFirstMs * 2 ** retry)
  return most / 2 + (Math.random() * most) / 2
}

/** How long no request is sent after a 429, whoever asked for it; an absurd wish does not stop the client for good. */
export function pauseMs(header: string | null): number {
  return 1000 * Math.min(retryAfterSeconds(header) ?? 1, retryAfterMaxSeconds)
}

/** Whole seconds, or a date. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
