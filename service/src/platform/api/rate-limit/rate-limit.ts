import { metrics } from '@opentelemetry/api'
import type { Logger } from '../../base/log.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { type Bucket, type Decision, windowMs } from './bucket.ts'
import type { InMemoryWindow } from './in-memory-window.ts'
import type { RedisWindow } from './redis-window.ts'

/**
 * Counts in Redis, for all processes together, and when Redis does not answer at once in this process: a request is
 * never refused or failed because Redis is away. The local log also records what Redis accepted, so that a Redis that
 * dies in the middle of a minute does not hand this process's callers a second helping.
 */
export class RateLimiter {
  readonly #shared: RedisWindow | undefined
  readonly #local: InMemoryWindow
  readonly #log: Logger
  #awayUntil = 0
  #isAway = false

  constructor(shared: RedisWindow | undefined, local: InMemoryWindow, log: Logger) {
    this.#shared = shared
    this.#local = local
    this.#log = log
  }

  async take(bucket: Bucket): Promise<Decision> {
    const decision = await this.#askShared(bucket)
    if (!decision) return this.#local.take(bucket)
    if (decision.accepted) this.#local.record(bucket)
    return decision
  }

  /** Whether this process alone has seen the bucket full: a look that costs nothing, before work that does. */
  isKnownFull(bucket: Bucket): boolean {
    return this.#local.isFull(bucket)
  }

  /**
   * `away` means that each process counts alone until Redis is back. Found out by counting, which a replica refuses.
   */
  async state(): Promise<'ok' | 'away' | 'not configured'> {
    if (!this.#shared) return 'not configured'
    try {
      await this.#shared.take({ key: 'readiness', limit: Number.MAX_SAFE_INTEGER })
      this.#turn(false)
      return 'ok'
    } catch (error) {
      this.#turn(true, error)
      return 'away'
    }
  }

  async #askShared(bucket: Bucket): Promise<Decision | undefined> {
    if (!this.#shared || performance.now() < this.#awayUntil) return undefined
    // While it is away, one request at a time finds out whether it is back; the others do not wait for that.
    if (this.#isAway) this.#awayUntil = performance.now() + retryMs
    try {
      const decision = await this.#shared.take(bucket)
      this.#turn(false)
      return decision
    } catch (error) {
      this.#awayUntil = performance.now() + retryMs
      this.#turn(true, error)
      return undefined
    }
  }

  #turn(isAway: boolean, error?: unknown): void {
    if (this.#isAway === isAway) return
    this.#isAway = isAway
    if (isAway) this.#log.warn({ err: error }, 'Redis does not count; each process counts requests alone')
    else this.#log.info('Redis counts again')
  }
}

// How often one request looks whether Redis is back.
const retryMs = 1_000

export function credentialBucket(clientId: string, limit: number): Bucket {
  return { key: `credential:${clientId}`, limit }
}

/** An operator is a person or a script of theirs: this stops a loop gone wild, and nobody's work. */
export function operatorBucket(tokenId: string): Bucket {
  return { key: `operator:${tokenId}`, limit: operatorRequestsMax }
}

const operatorRequestsMax = 600

export function rateLimited(decision: Decision): ApiError {
  const seconds = secondsUntilFree(decision)
  rejectedRequests.add(1)
  return new ApiError(
    requestErrors.rate_limited,
    `At most ${decision.limit} requests in 60 seconds. Try again in ${seconds} s.`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  )
}

const rejectedRequests = metrics.getMeter('http').createCounter('rate_limited_requests', {
  description: 'Requests refused with 429',
})

// Who guesses tokens or client ids has no credential to be limited by, so the address is: far above what honest clients
// behind one address send with a broken configuration, low enough that guessing cannot load the directory.
const failuresPerAddressMax = 6_000

/** Counts a request that shows no valid identity, and throws 429 once its address has shown too many of them. */
export async function guardAddress(rateLimiter: RateLimiter, address: string): Promise<void> {
  const decision = await rateLimiter.take(addressBucket(address))
  if (!decision.accepted) throw rateLimited(decision)
}

export function addressBucket(address: string): Bucket {
  return { key: `unidentified:${networkOf(address)}`, limit: failuresPerAddressMax }
}

/** Who owns one IPv6 address owns the whole /64 around it: that counts as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const following = tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - following.length) }, () => '0')
  return [...groups, ...zeros, ...following].slice(0, 4).join(':')
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
