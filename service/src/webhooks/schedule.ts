// The retry schedule of a delivery and the backoff of an endpoint. Pure functions, so that tests can check the promised
// times directly.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Delay before each retry of a delivery: about three days in total. */
const retryDelays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Attempts per delivery: fewer in development, so that an integrator sees a FAILED one within minutes. */
export const attemptsMax = (environment: string): number => (environment === 'development' ? 3 : retryDelays.length + 1)

/**
 * Returns the delay after this many attempts, or null if that was the last one. Jitter adds up to a tenth, so that
 * deliveries that failed together are not retried together.
 */
export function retryDelayMs(attempts: number, max: number, random: number): number | null {
  const delay = retryDelays[attempts - 1]
  return delay === undefined || attempts >= max ? null : withJitter(delay, random)
}

const endpointBackoffs = [5 * second, 30 * second, minute, 2 * minute, 5 * minute]

/**
 * Returns the backoff of an endpoint after this many failed batches. It is much shorter than the retry delays of a
 * delivery, so that an endpoint that recovers gets its backlog within minutes. It is long enough that one that hangs
 * occupies a slot of the queue for only 15 seconds in five minutes.
 */
export function endpointBackoffMs(failures: number, random: number): number {
  return withJitter(endpointBackoffs[Math.min(failures, endpointBackoffs.length) - 1] ?? 0, random)
}

function withJitter(ms: number, random: number): number {
  return Math.round(ms * (1 + random / 10))
}

/** Parses Retry-After, which is in seconds or a date. Returns milliseconds: at least 0, at most a day. */
export function retryAfterMs(header: string | null, now: Date): number {
  const text = header?.trim() ?? ''
  const requested = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return Number.isNaN(requested) ? 0 : Math.min(Math.max(requested, 0), day)
}

/** An endpoint without a success for this long is disabled. */
export const failingMsMax = 5 * day
