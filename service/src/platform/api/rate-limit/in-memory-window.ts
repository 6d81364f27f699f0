import { type Bucket, type Ceiling, type Decision, windowMs } from './bucket.ts'

/** A sliding window in this process's memory, used while Redis is down or not configured. */
export class InMemoryWindow {
  /** Times of the accepted requests of each bucket, oldest first. */
  readonly #acceptedOf = new Map<string, number[]>()
  readonly #ceilings = new Map<string, { count: number; endsAt: number }>()
  #sweptAt = performance.now()

  take({ key, limit, ceiling }: Bucket): Decision {
    const now = performance.now()
    const times = this.#recent(key, now)
    const shared = ceiling && { limit: ceiling.limit, counted: this.#counted(ceiling, now) }
    const full = shared && shared.counted.count >= shared.limit ? shared : undefined
    const accepted = times.length < limit && !full
    if (accepted) times.push(now)
    if (accepted && shared) shared.counted.count += 1
    const freesInMs = (times[0] ?? now) + windowMs - now
    const decision = { accepted, limit, remaining: Math.max(0, limit - times.length), freesInMs }
    return full ? { ...decision, ceiling: { limit: full.limit, freesInMs: full.counted.endsAt - now } } : decision
  }

  /** Records a request that Redis accepted. */
  record({ key, ceiling }: Bucket): void {
    const now = performance.now()
    this.#recent(key, now).push(now)
    if (ceiling) this.#counted(ceiling, now).count += 1
  }

  isFull({ key, limit }: Bucket): boolean {
    return (this.#acceptedOf.get(key)?.length ?? 0) >= limit && this.#recent(key, performance.now()).length >= limit
  }

  #counted({ key }: Ceiling, now: number): { count: number; endsAt: number } {
    const known = this.#ceilings.get(key)
    if (known && known.endsAt > now) return known
    const counted = { count: 0, endsAt: now + windowMs }
    this.#ceilings.set(key, counted)
    return counted
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
    for (const [key, { endsAt }] of this.#ceilings) if (endsAt <= now) this.#ceilings.delete(key)
    for (const [key, times] of this.#acceptedOf) if ((times.at(-1) ?? 0) <= now - windowMs) this.#acceptedOf.delete(key)
  }
}
