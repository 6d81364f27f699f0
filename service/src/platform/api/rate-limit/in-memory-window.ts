import { type Bucket, type Decision, windowMs } from './bucket.ts'

/** A sliding window in this process's memory, used while Redis is down or not configured. */
export class InMemoryWindow {
  /** Times of the accepted requests of each bucket, oldest first. */
  readonly #acceptedOf = new Map<string, number[]>()
  #sweptAt = performance.now()

  take({ key, limit }: Bucket): Decision {
    const now = performance.now()
    const times = this.#recent(key, now)
    const accepted = times.length < limit
    if (accepted) times.push(now)
    const freesInMs = (times[0] ?? now) + windowMs - now
    return { accepted, limit, remaining: Math.max(0, limit - times.length), freesInMs }
  }

  /** Records a request that Redis accepted. */
  record({ key }: Bucket): void {
    const now = performance.now()
    this.#recent(key, now).push(now)
  }

  isFull({ key, limit }: Bucket): boolean {
    return (this.#acceptedOf.get(key)?.length ?? 0) >= limit && this.#recent(key, performance.now()).length >= limit
  }

  #recent(key: string, now: number): number[] {
    this.#sweep(now)
    const times = this.#acceptedOf.get(key) ?? []
    const firstRecent = times.findIndex((at) => at > now - windowMs)
    times.splice(0, firstRecent < 0 ? times.length : firstRecent)
    this.#acceptedOf.set(key, times)
    return times
  }

  /** Once per window, drops unused buckets: the map keeps only callers of the last two minutes. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < windowMs) return
    this.#sweptAt = now
    for (const [key, times] of this.#acceptedOf) if ((times.at(-1) ?? 0) <= now - windowMs) this.#acceptedOf.delete(key)
  }
}
