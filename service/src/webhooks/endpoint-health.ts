import type { Posted } from '../platform/outbound/poster.ts'
import { blockAfter, failingMsMax, retryAfterMs } from './schedule.ts'

/** How an endpoint has answered lately. */
export interface EndpointHealth {
  readonly failures: number
  readonly failingSince: Date | null
  readonly blockedUntil: Date | null
}

/** Anything that got through ends a streak; a round in which nothing did makes it longer, and everybody waits. */
export function healthAfter(
  health: EndpointHealth,
  posted: readonly Posted[],
  now: Date,
  chance: number,
): EndpointHealth {
  if (posted.some(({ outcome }) => outcome === 'DELIVERED'))
    return { failures: 0, failingSince: null, blockedUntil: null }
  const failures = health.failures + 1
  const pause = Math.max(blockAfter(failures, chance), ...posted.map((one) => askedPause(one, now)))
  return {
    failures,
    failingSince: health.failingSince ?? now,
    blockedUntil: new Date(now.getTime() + pause),
  }
}

/** Who is asked to wait waits: 429 and 503 may say for how long. */
export function askedPause({ statusCode, retryAfter }: Posted, now: Date): number {
  return statusCode === 429 || statusCode === 503 ? retryAfterMs(retryAfter, now) : 0
}

/** Why the endpoint has to be disabled after this, or null: it says that it is gone, or it has only failed for days. */
export function reasonToDisable(
  health: EndpointHealth,
  posted: readonly Posted[],
  now: Date,
): 'GONE' | 'FAILING' | null {
  if (posted.some(({ statusCode }) => statusCode === 410)) return 'GONE'
  if (posted.length === 0 || posted.some(({ outcome }) => outcome === 'DELIVERED')) return null
  const since = health.failingSince
  return since && now.getTime() - since.getTime() >= failingMsMax ? 'FAILING' : null
}
