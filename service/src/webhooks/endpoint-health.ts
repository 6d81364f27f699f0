import type { PostResult } from '../platform/outbound/outbound-client.ts'
import { endpointBackoffMs, failingMsMax, retryAfterMs } from './schedule.ts'

export interface EndpointHealth {
  /** Batches in a row without a success. */
  readonly failures: number
  readonly failingSince: Date | null
  readonly backoffUntil: Date | null
}

/**
 * Returns the health after a batch. One success resets it; without any, the batch counts as a failure and backs off.
 */
export function healthAfter(
  health: EndpointHealth,
  results: readonly PostResult[],
  now: Date,
  random: number,
): EndpointHealth {
  if (results.some(({ outcome }) => outcome === 'DELIVERED'))
    return { failures: 0, failingSince: null, backoffUntil: null }
  const failures = health.failures + 1
  const delayMs = Math.max(
    endpointBackoffMs(failures, random),
    ...results.map((result) => requestedDelayMs(result, now)),
  )
  return {
    failures,
    failingSince: health.failingSince ?? now,
    backoffUntil: new Date(now.getTime() + delayMs),
  }
}

/** Returns the delay that the receiver requests with 429 or 503 and Retry-After, or 0. */
export function requestedDelayMs({ statusCode, retryAfter }: PostResult, now: Date): number {
  return statusCode === 429 || statusCode === 503 ? retryAfterMs(retryAfter, now) : 0
}

/** Returns the reason to disable the endpoint, if any: it responded 410, or nothing succeeded for five days. */
export function reasonToGiveUp(
  health: EndpointHealth,
  results: readonly PostResult[],
  now: Date,
): 'GONE' | 'FAILING' | null {
  if (results.some(({ statusCode }) => statusCode === 410)) return 'GONE'
  if (results.length === 0 || results.some(({ outcome }) => outcome === 'DELIVERED')) return null
  const since = health.failingSince
  return since && now.getTime() - since.getTime() >= failingMsMax ? 'FAILING' : null
}
