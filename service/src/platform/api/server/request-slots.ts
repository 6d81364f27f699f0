import type { Config } from '../../base/config.ts'
import { unavailable } from '../errors/errors.ts'
import { networkOf } from '../rate-limit/network.ts'

export type SlotLimits = Pick<Config, 'requestsInFlightMax' | 'unidentifiedRequestsMax'>

/** What a request takes up while it is processed. */
export interface RequestSlot {
  /** Moves the request from its address to the identified callers; throws 503 if those use all slots. */
  identify(): void
  /** Safe to call twice. */
  release(): void
}

/**
 * Limits the requests that are processed at once. Identified callers share one limit. A request without a known caller
 * counts for its address only: otherwise anyone could use up the slots of all callers.
 */
export class RequestSlots {
  readonly #limits: SlotLimits
  readonly #unidentifiedOf = new Map<string, number>()
  #identified = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Throws 503 if the address has too many requests without a known caller. */
  take(address: string): RequestSlot {
    const network = networkOf(address)
    const count = this.#unidentifiedOf.get(network) ?? 0
    if (count >= this.#limits.unidentifiedRequestsMax)
      throw unavailable('Too many requests from this address are in progress. Retry shortly.')
    this.#unidentifiedOf.set(network, count + 1)
    let state: 'unidentified' | 'identified' | 'released' = 'unidentified'
    const release = () => {
      if (state === 'unidentified') this.#releaseUnidentified(network)
      if (state === 'identified') this.#identified -= 1
      state = 'released'
    }
    const identify = () => {
      if (state !== 'unidentified') return
      release()
      if (this.#identified >= this.#limits.requestsInFlightMax)
        throw unavailable('Too many requests are in progress. Retry shortly.')
      this.#identified += 1
      state = 'identified'
    }
    return { identify, release }
  }

  #releaseUnidentified(network: string): void {
    const left = (this.#unidentifiedOf.get(network) ?? 1) - 1
    if (left > 0) this.#unidentifiedOf.set(network, left)
    else this.#unidentifiedOf.delete(network)
  }
}
