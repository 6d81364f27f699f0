import type { HeadersLike } from '@investor-token/sdk'

const paceMinMs = 500
const paceDefaultMs = 4_000

/** How often to ask again and again: half of what the credential may send stays free for other work. */
export function paceOf(headers: HeadersLike): number {
  const [, limit, windowSeconds] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  if (limit === undefined || windowSeconds === undefined) return paceDefaultMs
  return Math.max(paceMinMs, (2 * Number(windowSeconds) * 1000) / Math.max(1, Number(limit)))
}
