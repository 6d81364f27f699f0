import type { Clock } from './clock.ts'
import { AbortError, ApiError, ConnectionError } from './errors.ts'
import type { AbortSignalLike } from './web-types.ts'

/** A token and when it should be replaced and when it ends, by the client's clock. */
export interface AccessToken {
  readonly value: string
  readonly renewAt: number
  readonly endsAt: number
}

const renewalMs = 60_000
// With less than this left, a token may end on the way to the service.
const travelMs = 5_000

export function isUsable(token: AccessToken, clock: Clock): boolean {
  return clock.now() < token.endsAt - travelMs
}

/** One whose life begins now. A life that is too short to be renewed a minute early is renewed in its middle. */
export function accessToken(value: string, lifeMs: number, clock: Clock): AccessToken {
  const now = clock.now()
  return { value, renewAt: now + Math.max(lifeMs - renewalMs, lifeMs / 2), endsAt: now + lifeMs }
}

/** Hands out one token to all callers. However many of them wait, one request for a new one is under way. */
export class TokenSource {
  readonly #clock: Clock
  readonly #request: () => Promise<AccessToken>
  #current: AccessToken | undefined
  #coming: Promise<AccessToken> | undefined

  constructor(clock: Clock, request: () => Promise<AccessToken>) {
    this.#clock = clock
    this.#request = request
  }

  /** Whoever stops waiting leaves the request under way for the others. */
  async get(signal?: AbortSignalLike): Promise<AccessToken> {
    if (this.#current && this.#clock.now() < this.#current.renewAt) return this.#current
    this.#coming ??= this.#renew().finally(() => {
      this.#coming = undefined
    })
    return unlessAborted(this.#coming, signal)
  }

  /** The service refused it. Only this one is dropped: another caller may have got a new one meanwhile. */
  drop(token: AccessToken): void {
    if (this.#current === token) this.#current = undefined
  }

  async #renew(): Promise<AccessToken> {
    try {
      this.#current = await this.#request()
      return this.#current
    } catch (error) {
      // It is a minute early: while the service cannot answer, the old token does what it still can.
      const isAway = error instanceof ConnectionError || (error instanceof ApiError && error.status >= 429)
      if (isAway && this.#current && isUsable(this.#current, this.#clock)) return this.#current
      throw error
    }
  }
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignalLike | undefined): Promise<Result> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AbortError('The call was aborted by your signal.'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    const done = () => signal.removeEventListener('abort', stop)
    work.then(resolve, reject).finally(done)
  })
}
