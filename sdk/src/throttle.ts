import type { Clock } from './clock.ts'
import type { AbortSignalLike, HeadersLike } from './web-types.ts'

/** A request that may be sent now. Exactly one of its functions is called, once. */
export interface Slot {
  /** The service answered, or nothing is known: then it may have counted the request. */
  answered(headers?: HeadersLike): void
  /** 429: it did not count, and no request shall be sent for so long. */
  refused(waitMs: number): void
  /** It was not sent after all. */
  unused(): void
}

interface Waiter {
  readonly grant: (slot: Slot) => void
}

/**
 * Holds requests back until the service will accept them. The service accepts so many requests in any window, and says
 * in each answer how many that is and how many are left. A request of ours leaves its window no later than one window
 * after its answer, so counting from the answer never sends too early; what the service counted beyond ours was sent by
 * other clients of the same credential.
 */
export class Throttle {
  readonly #clock: Clock
  #policy: { limit: number; windowMs: number } | undefined
  /** When our requests of the last window were answered, oldest first. */
  readonly #answeredAt: number[] = []
  #inFlight = 0
  #others = { count: 0, nextLeavesAt: 0, allLeftAt: 0 }
  #pausedUntil = 0
  readonly #waiting: Waiter[] = []
  #alarm: AbortController | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long the next request would wait, as far as that is known. */
  waitMs(): number {
    return Math.max(0, this.#freeAt() - this.#clock.now())
  }

  /** An urgent request, which others wait for, goes before them. */
  enter({ signal, isUrgent }: { signal?: AbortSignalLike | undefined; isUrgent?: boolean } = {}): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const leave = () => {
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal?.reason as Error)
        this.#letIn()
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
      this.#letIn()
    })
  }

  #letIn(): void {
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
    // Without an end only while all places are taken by requests under way, whose answers wake us.
    if (waitMs === Number.POSITIVE_INFINITY) return
    const alarm = new AbortController()
    this.#alarm = alarm
    this.#clock.sleep(waitMs, alarm.signal).then(
      () => this.#letIn(),
      () => {},
    )
  }

  #slot(): Slot {
    const leave = (change: (now: number) => void) => {
      this.#inFlight -= 1
      change(this.#clock.now())
      this.#letIn()
    }
    return {
      unused: () => leave(() => {}),
      refused: (waitMs) =>
        leave((now) => {
          this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs)
        }),
      answered: (headers) =>
        leave((now) => {
          this.#answeredAt.push(now)
          if (headers) this.#learn(headers, now)
          // Where nobody tells a limit there is nothing to count.
          if (!this.#policy) this.#answeredAt.length = 0
        }),
    }
  }

  #learn(headers: HeadersLike, now: number): void {
    const policy = /"credential";q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')
    const state = /"credential";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
    if (!policy || !state) return
    const [limit, windowMs] = [Number(policy[1]), Number(policy[2]) * 1000]
    const [remaining, nextLeavesInMs] = [Number(state[1]), Number(state[2]) * 1000]
    this.#policy = { limit, windowMs }
    this.#forgetOld(now)
    const ours = this.#answeredAt.length + this.#inFlight
    const count = Math.max(0, limit - remaining - ours)
    this.#others = { count, nextLeavesAt: now + nextLeavesInMs, allLeftAt: now + windowMs }
  }

  /** When one more may be sent. */
  #freeAt(): number {
    const now = this.#clock.now()
    if (now < this.#pausedUntil) return this.#pausedUntil
    if (!this.#policy) return now
    this.#forgetOld(now)
    const used = this.#answeredAt.length + this.#inFlight + this.#others.count
    if (used < this.#policy.limit) return now
    const [oldest] = this.#answeredAt
    const oursFreeAt = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + this.#policy.windowMs
    const othersFreeAt = this.#others.count > 0 ? this.#others.nextLeavesAt : Number.POSITIVE_INFINITY
    return Math.min(oursFreeAt, othersFreeAt)
  }

  #forgetOld(now: number): void {
    const { windowMs = 0 } = this.#policy ?? {}
    while ((this.#answeredAt[0] ?? Number.POSITIVE_INFINITY) <= now - windowMs) this.#answeredAt.shift()
    const others = this.#others
    if (others.count > 0 && now >= others.allLeftAt) others.count = 0
    if (others.count > 0 && now >= others.nextLeavesAt) {
      // One has left. When the next one does is told by the answer to the request that takes its place.
      others.count -= 1
      others.nextLeavesAt = others.allLeftAt
    }
  }
}
