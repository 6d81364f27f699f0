import type { HeadersLike } from '@investor-token/sdk'

const intervalMinMs = 500
const intervalDefaultMs = 4_000

/** The polling interval that uses half of the credential's rate limit and leaves the rest for other work. */
export function pollIntervalMs(headers: HeadersLike): number {
  const [, limit, windowSeconds] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  if (limit === undefined || windowSeconds === undefined) return intervalDefaultMs
  return Math.max(intervalMinMs, (2 * Number(windowSeconds) * 1000) / Math.max(1, Number(limit)))
}
