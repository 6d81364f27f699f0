import type { Logger } from '../../base/log.ts'
import { counter } from '../../base/metric.ts'
import { ApiError, type PresentedIdentity } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { type Bucket, type CallerBucket, type Decision, windowMs } from './bucket.ts'
import type { InMemoryWindow } from './in-memory-window.ts'
import { networkOf } from './network.ts'
import type { RedisWindow } from './redis-window.ts'

/**
 * Counts requests in Redis across all processes. If Redis does not respond at once, this process counts alone: no
 * request fails or is rejected because Redis is down. The in-memory window also records what Redis accepted, so that an
 * outage in the middle of a minute does not give this process's callers their whole limit a second time.
 */
export class RateLimiter {
  readonly #redis: RedisWindow | undefined
  readonly #inMemory: InMemoryWindow
  readonly #log: Logger
  #skipRedisUntil = 0
  #isRedisDown = false

  constructor(redis: RedisWindow | undefined, inMemory: InMemoryWindow, log: Logger) {
    this.#redis = redis
    this.#inMemory = inMemory
    this.#log = log
  }

  async take(bucket: Bucket): Promise<Decision> {
    const decision = await this.#takeFromRedis(bucket)
    if (!decision) return this.#inMemory.take(bucket)
    if (decision.accepted) this.#inMemory.record(bucket)
    return decision
  }

  /** Like `take`, but without a round trip if this process alone has seen the bucket full: a flood must cost little. */
  async takeUnlessFull(bucket: Bucket): Promise<Decision> {
    return this.decisionIfFull(bucket) ?? this.take(bucket)
  }

  /** Rejects a request without a round trip, if this process alone has seen the bucket full. */
  decisionIfFull(bucket: Bucket): Decision | undefined {
    return this.#inMemory.isFull(bucket) ? this.#inMemory.take(bucket) : undefined
  }

  /**
   * Returns true if this process alone has seen the bucket full. Costs no round trip: a check before expensive work.
   */
  isKnownFull(bucket: Bucket): boolean {
    return this.#inMemory.isFull(bucket)
  }

  /** Returns `down` if each process counts alone. Checks with a write, which a read-only replica rejects. */
  async state(): Promise<'ok' | 'down' | 'not configured'> {
    if (!this.#redis) return 'not configured'
    try {
      await this.#redis.take({ key: 'readiness', limit: Number.MAX_SAFE_INTEGER })
      this.#setRedisDown(false)
      return 'ok'
    } catch (error) {
      this.#setRedisDown(true, error)
      return 'down'
    }
  }

  async #takeFromRedis(bucket: Bucket): Promise<Decision | undefined> {
    if (!this.#redis || performance.now() < this.#skipRedisUntil) return undefined
    // While Redis is down, one request at a time probes it; the others do not wait for the result.
    if (this.#isRedisDown) this.#skipRedisUntil = performance.now() + probeIntervalMs
    try {
      const decision = await this.#redis.take(bucket)
      this.#setRedisDown(false)
      return decision
    } catch (error) {
      this.#skipRedisUntil = performance.now() + probeIntervalMs
      this.#setRedisDown(true, error)
      return undefined
    }
  }

  #setRedisDown(isDown: boolean, error?: unknown): void {
    if (this.#isRedisDown === isDown) return
    this.#isRedisDown = isDown
    if (!isDown) this.#skipRedisUntil = 0
    if (isDown) this.#log.warn({ err: error }, 'Redis is down; each process limits requests on its own')
    else this.#log.info('Redis is back; requests are limited across processes')
  }
}

const probeIntervalMs = 1_000

/** Limit of all callers of a tenant together. */
interface TenantShare {
  readonly tenantId: string
  readonly tenantRequestsPerMinute: number
}

/** The limits of a tenant's credentials add up to at most its ceiling, so it rejects none within its own limit. */
export function credentialBucket(
  credential: TenantShare & { readonly clientId: string; readonly requestsPerMinute: number },
): CallerBucket {
  const { clientId, requestsPerMinute, tenantId, tenantRequestsPerMinute } = credential
  const ceiling = { key: `tenant:${tenantId}`, limit: tenantRequestsPerMinute }
  return { policy: 'credential', key: `credential:${clientId}`, limit: requestsPerMinute, ceiling }
}

/**
 * An operator user is a person or a script: the limit stops a runaway loop and never gets in the way of work. All
 * tokens of a user share it. Operators have a separate ceiling, so that they cannot use up the requests of integrators.
 */
export function operatorBucket(operator: TenantShare & { readonly userId: string }): CallerBucket {
  const { userId, tenantId, tenantRequestsPerMinute } = operator
  const ceiling = { key: `operators:${tenantId}`, limit: Math.max(tenantRequestsPerMinute, requestsPerUserMax) }
  return { policy: 'user', key: `user:${userId}`, limit: requestsPerUserMax, ceiling }
}

export const requestsPerUserMax = 600

/** Bucket of the sender of a signed request, such as a payment provider. */
export function senderBucket(senderId: string): CallerBucket {
  return { policy: 'sender', key: `sender:${senderId}`, limit: requestsPerSenderMax }
}

// A hundred per second: far more payments than any tenant takes, and a sender in a loop still leaves room for others.
const requestsPerSenderMax = 6_000

// A client that guesses tokens or client ids has no credential to count by, so we count by address. The limit is far
// above what honest clients behind one address send with a broken configuration, and low enough that guessing cannot
// load the directory.
const failuresPerAddressMax = 6_000

export function addressBucket(address: string): Bucket {
  return { key: `unidentified:${networkOf(address)}`, limit: failuresPerAddressMax }
}

/** Counts a request without a valid identity, and throws 429 once its address has sent too many of them. */
export async function guardAddress(rateLimiter: RateLimiter, address: string): Promise<void> {
  const decision = await rateLimiter.takeUnlessFull(addressBucket(address))
  if (!decision.accepted) throw rateLimited(decision)
}

/** Counts a request of an identified caller and adds the RateLimit headers to its response; throws 429. */
export async function limitCaller(
  rateLimiter: RateLimiter,
  bucket: CallerBucket,
  response: { headers(values: Record<string, string>): unknown },
): Promise<void> {
  const decision = await rateLimiter.take(bucket)
  response.headers(rateLimitHeaders(bucket, decision))
  if (!decision.accepted) throw rateLimited(decision)
}

export function rateLimited(decision: Decision, presented?: PresentedIdentity): ApiError {
  const seconds = secondsUntilFree(decision.ceiling ?? decision)
  rejectedRequests.add(1, {})
  const rule = decision.ceiling
    ? `All callers of your tenant together: at most ${decision.ceiling.limit}`
    : `At most ${decision.limit}`
  return new ApiError(requestErrors.rate_limited, `${rule} requests in 60 seconds. Retry in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
    ...(presented && { presented }),
  })
}

/** Returns the 429 for a caller whose requests were rejected too often, see KnownCallers. */
export function rejectionsExceeded(limit: number, freesInMs: number): ApiError {
  const seconds = secondsUntilFree({ freesInMs })
  rejectedRequests.add(1, {})
  const message = `${limit} of your requests were rejected within 60 seconds. Retry in ${seconds} s.`
  return new ApiError(requestErrors.rate_limited, message, { headers: { 'retry-after': String(seconds) } })
}

const rejectedRequests = counter('rate_limited_requests', {
  description: 'Requests rejected with 429',
})

function rateLimitHeaders({ policy }: CallerBucket, decision: Decision): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${decision.limit};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=${decision.remaining};t=${secondsUntilFree(decision)}`,
  }
}

/** Returns whole seconds, at least one: a client that waits this long is accepted. */
function secondsUntilFree({ freesInMs }: Pick<Decision, 'freesInMs'>): number {
  return Math.max(1, Math.ceil(freesInMs / 1000))
}
