import type { Clock } from './clock.ts'
import { AbortError, ApiError, ConnectionError } from './errors.ts'
import type { AbortSignalLike } from './web-types.ts'

/** An access token. Both times are in milliseconds of the client's clock. */
export interface AccessToken {
  readonly value: string
  readonly renewAt: number
  readonly expiresAt: number
}

const renewBeforeExpiryMs = 60_000
// A token with less time left could expire before the request reaches the service.
const expiryMarginMs = 5_000

export function isUsable(token: AccessToken, clock: Clock): boolean {
  return clock.now() < token.expiresAt - expiryMarginMs
}

/** Creates a token. Renewal is a minute before it expires, or halfway through a lifetime under two minutes. */
export function accessToken(value: string, lifetimeMs: number, clock: Clock): AccessToken {
  const now = clock.now()
  const renewAt = now + Math.max(lifetimeMs - renewBeforeExpiryMs, lifetimeMs / 2)
  return { value, renewAt, expiresAt: now + lifetimeMs }
}

/** Shares one token between all callers, with at most one renewal request in flight. */
export class TokenSource {
  readonly #clock: Clock
  readonly #request: () => Promise<AccessToken>
  #current: AccessToken | undefined
  #renewal: Promise<AccessToken> | undefined

  constructor(clock: Clock, request: () => Promise<AccessToken>) {
    this.#clock = clock
    this.#request = request
  }

  /** Aborting the signal ends only this caller's wait; the renewal continues for the others. */
  async get(signal?: AbortSignalLike): Promise<AccessToken> {
    if (this.#current && this.#clock.now() < this.#current.renewAt) return this.#current
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return unlessAborted(this.#renewal, signal)
  }

  /** Discards a token that the service rejected, unless another caller has already renewed it. */
  drop(token: AccessToken): void {
    if (this.#current === token) this.#current = undefined
  }

  async #renew(): Promise<AccessToken> {
    try {
      this.#current = await this.#request()
      return this.#current
    } catch (error) {
      // Renewal starts a minute before expiry, so while the service is unavailable the old token may still be valid.
      const isUnavailable = error instanceof ConnectionError || (error instanceof ApiError && error.status >= 429)
      if (isUnavailable && this.#current && isUsable(this.#current, this.#clock)) return this.#current
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
