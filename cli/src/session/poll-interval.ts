import type { HeadersLike } from '@investor-token/sdk'

const intervalMinMs = 500
const intervalDefaultMs = 4_000

/** Returns the interval at which polling uses half of the credential's rate limit. The rest is for other work. */
export function pollIntervalMs(headers: HeadersLike): number {
  const [, limit, windowSeconds] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  if (limit === undefined || windowSeconds === undefined) return intervalDefaultMs
  return Math.max(intervalMinMs, (2 * Number(windowSeconds) * 1000) / Math.max(1, Number(limit)))
}
