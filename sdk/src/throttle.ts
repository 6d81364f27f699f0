import type { Clock } from './clock.ts'
import type { AbortSignalLike, HeadersLike } from './web-types.ts'

/** Permission to send one request. The caller calls exactly one of the methods, once. */
export interface Slot {
  /** The service responded, or the outcome is unknown, so the service may have counted the request. */
  completed(headers?: HeadersLike): void
  /** The service responded with 429: it did not count the request, and no request may be sent for `waitMs`. */
  rejected(waitMs: number): void
  /** The request was not sent. */
  unused(): void
}

interface Waiter {
  readonly grant: (slot: Slot) => void
}

/**
 * Delays requests until the service will accept them. The service limits requests per sliding window, and each response
 * states the limit and how many requests are left. A request leaves the service's window at most one window after its
 * response, so counting from the response never sends too early. If the service counted more requests than this client
 * sent, the others come from other clients of the same credential.
 */
export class Throttle {
  readonly #clock: Clock
  #policy: { limit: number; windowMs: number } | undefined
  /** Completion times of our requests in the last window, oldest first. */
  readonly #completedAt: number[] = []
  #inFlight = 0
  #others = { count: 0, nextLeavesAt: 0, allLeftAt: 0 }
  #pausedUntil = 0
  readonly #waiting: Waiter[] = []
  #alarm: AbortController | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns how long the next request would wait; infinite if that is not known yet. */
  waitMs(): number {
    return Math.max(0, this.#freeAt() - this.#clock.now())
  }

  /** Resolves when a request may be sent. An urgent request goes first: the others wait for its result. */
  enter({ signal, isUrgent }: { signal?: AbortSignalLike | undefined; isUrgent?: boolean } = {}): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const leave = () => {
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal?.reason as Error)
        this.#grantSlots()
      }
      const waiter: Waiter = {
        grant: (slot) => {
          signal?.removeEventListener('abort', leave)
          resolve(slot)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      if (isUrgent) this.#waiting.unshift(waiter)
      else this.#waiting.push(waiter)
      this.#grantSlots()
    })
  }

  #grantSlots(): void {
    this.#alarm?.abort()
    this.#alarm = undefined
    while (this.#waiting.length > 0) {
      const waitMs = this.#freeAt() - this.#clock.now()
      if (waitMs > 0) {
        this.#wakeIn(waitMs)
        return
      }
      this.#inFlight += 1
      this.#waiting.shift()?.grant(this.#slot())
    }
  }

  #wakeIn(waitMs: number): void {
    // Infinite only while requests in flight use up the whole limit; their responses call #grantSlots.
    if (waitMs === Number.POSITIVE_INFINITY) return
    const alarm = new AbortController()
    this.#alarm = alarm
    this.#clock.sleep(waitMs, alarm.signal).then(
      () => this.#grantSlots(),
      () => {},
    )
  }

  #slot(): Slot {
    const leave = (change: (now: number) => void) => {
      this.#inFlight -= 1
      change(this.#clock.now())
      this.#grantSlots()
    }
    return {
      unused: () => leave(() => {}),
      rejected: (waitMs) =>
        leave((now) => {
          this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs)
        }),
      completed: (headers) =>
        leave((now) => {
          this.#completedAt.push(now)
          if (headers) this.#readLimits(headers, now)
          // Without a known limit there is nothing to count.
          if (!this.#policy) this.#completedAt.length = 0
        }),
    }
  }

  #readLimits(headers: HeadersLike, now: number): void {
    const policy = /"credential";q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')
    const state = /"credential";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
    if (!policy || !state) return
    const [limit, windowMs] = [Number(policy[1]), Number(policy[2]) * 1000]
    const [remaining, nextLeavesInMs] = [Number(state[1]), Number(state[2]) * 1000]
    this.#policy = { limit, windowMs }
    this.#forgetOld(now)
    const ours = this.#completedAt.length + this.#inFlight
    const count = Math.max(0, limit - remaining - ours)
    this.#others = { count, nextLeavesAt: now + nextLeavesInMs, allLeftAt: now + windowMs }
  }

  /** Returns the time at which the next request may be sent. */
  #freeAt(): number {
    const now = this.#clock.now()
    if (now < this.#pausedUntil) return this.#pausedUntil
    if (!this.#policy) return now
    this.#forgetOld(now)
    const used = this.#completedAt.length + this.#inFlight + this.#others.count
    if (used < this.#policy.limit) return now
    const [oldest] = this.#completedAt
    const oursFreeAt = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + this.#policy.windowMs
    const othersFreeAt = this.#others.count > 0 ? this.#others.nextLeavesAt : Number.POSITIVE_INFINITY
    return Math.min(oursFreeAt, othersFreeAt)
  }

  #forgetOld(now: number): void {
    const { windowMs = 0 } = this.#policy ?? {}
    while ((this.#completedAt[0] ?? Number.POSITIVE_INFINITY) <= now - windowMs) this.#completedAt.shift()
    const others = this.#others
    if (others.count > 0 && now >= others.allLeftAt) others.count = 0
    if (others.count > 0 && now >= others.nextLeavesAt) {
      // One has left the window. The response to our next request states when the following one leaves.
      others.count -= 1
      others.nextLeavesAt = others.allLeftAt
    }
  }
}
