import { metrics } from '@opentelemetry/api'
import { type Bucket, type Decision, windowMs } from './bucket.ts'
import { ApiError } from './errors.ts'
import type { LocalLog } from './local-log.ts'
import type { RedisLog } from './redis-log.ts'

/**
 * Counts in Redis, for all processes together, and when Redis does not answer at once in this process: a request is
 * never refused or failed because Redis is away. The local log also records what Redis accepted, so that a Redis that
 * dies in the middle of a minute does not hand this process's callers a second helping.
 */
export class RateLimiter {
  readonly #shared: RedisLog | undefined
  readonly #local: LocalLog
  #awayUntil = 0

  constructor(shared: RedisLog | undefined, local: LocalLog) {
    this.#shared = shared
    this.#local = local
  }

  async take(bucket: Bucket): Promise<Decision> {
    const decision = await this.#ask((shared) => shared.take(bucket))
    if (!decision) return this.#local.take(bucket)
    if (decision.accepted) this.#local.record(bucket, decision.entry)
    return decision
  }

  /** Takes an accepted request back, as if it had never come. */
  async giveBack(bucket: Bucket, decision: Decision): Promise<void> {
    this.#local.giveBack(bucket, decision.entry)
    await this.#ask((shared) => shared.giveBack(bucket, decision.entry))
  }

  /** `away` means that each process counts alone until Redis is back. */
  async state(): Promise<'ok' | 'away' | 'not configured'> {
    if (!this.#shared) return 'not configured'
    try {
      await this.#shared.ping()
      return 'ok'
    } catch {
      return 'away'
    }
  }

  async #ask<Answer>(question: (shared: RedisLog) => Promise<Answer>): Promise<Answer | undefined> {
    if (!this.#shared || performance.now() < this.#awayUntil) return undefined
    try {
      return await question(this.#shared)
    } catch {
      this.#awayUntil = performance.now() + retryMs
      return undefined
    }
  }
}

// While Redis is away only one request a second waits to see whether it is back.
const retryMs = 1_000

export function credentialBucket(clientId: string, limit: number): Bucket {
  return { key: `credential:${clientId}`, limit }
}

export function rateLimited(decision: Decision): ApiError {
  const seconds = secondsUntilFree(decision)
  rejectedRequests.add(1)
  return new ApiError('rate_limited', `At most ${decision.limit} requests in 60 seconds. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

const rejectedRequests = metrics.getMeter('http').createCounter('rate_limited_requests', {
  description: 'Requests refused with 429',
})

// Who guesses tokens or client ids has no credential to be limited by, so the address is: far above what honest clients
// behind one address send with a broken configuration, low enough that guessing cannot load the directory.
const failuresPerAddressMax = 6_000

/** Counts a request that shows no valid identity, and throws 429 once its address has shown too many of them. */
export async function guardAddress(rateLimiter: RateLimiter, address: string): Promise<void> {
  const decision = await rateLimiter.take({ key: `unidentified:${address}`, limit: failuresPerAddressMax })
  if (!decision.accepted) throw rateLimited(decision)
}

export function rateLimitHeaders(decision: Decision): Record<string, string> {
  return {
    'ratelimit-policy': `"credential";q=${decision.limit};w=${windowMs / 1000}`,
    ratelimit: `"credential";r=${decision.remaining};t=${secondsUntilFree(decision)}`,
  }
}

/** Whole seconds, at least one: a client that waits this long finds a free place. */
function secondsUntilFree(decision: Decision): number {
  return Math.max(1, Math.ceil(decision.freesInMs / 1000))
}
