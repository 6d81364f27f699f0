import { type Bucket, type Decision, windowMs } from './bucket.ts'

interface Accepted {
  entry: string
  at: number
}

/** The same sliding log in this process's memory, for when there is no Redis to count with others. */
export class LocalLog {
  readonly #acceptedOf = new Map<string, Accepted[]>()
  #sequence = 0
  #sweptAt = performance.now()

  take(bucket: Bucket): Decision {
    const now = performance.now()
    const accepted = this.#recent(bucket.key, now)
    const isAccepted = accepted.length < bucket.limit
    const entry = isAccepted ? `local-${++this.#sequence}` : ''
    if (isAccepted) accepted.push({ entry, at: now })
    return {
      accepted: isAccepted,
      limit: bucket.limit,
      remaining: Math.max(0, bucket.limit - accepted.length),
      freesInMs: (accepted[0]?.at ?? now) + windowMs - now,
      entry,
    }
  }

  /** Notes what Redis accepted. */
  record({ key }: Bucket, entry: string): void {
    const now = performance.now()
    this.#recent(key, now).push({ entry, at: now })
  }

  giveBack({ key }: Bucket, entry: string): void {
    const accepted = this.#acceptedOf.get(key)
    const index = accepted?.findIndex((one) => one.entry === entry) ?? -1
    if (index >= 0) accepted?.splice(index, 1)
  }

  #recent(key: string, now: number): Accepted[] {
    this.#sweep(now)
    const accepted = this.#acceptedOf.get(key) ?? []
    const firstRecent = accepted.findIndex(({ at }) => at > now - windowMs)
    accepted.splice(0, firstRecent < 0 ? accepted.length : firstRecent)
    this.#acceptedOf.set(key, accepted)
    return accepted
  }

  /** Once a window, drops the buckets nobody used in it: the map holds only who called in the last two minutes. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < windowMs) return
    this.#sweptAt = now
    for (const [key, accepted] of this.#acceptedOf)
      if ((accepted.at(-1)?.at ?? 0) <= now - windowMs) this.#acceptedOf.delete(key)
  }
}
