import type { Config } from '../../base/config.ts'
import { counter, observedGauge } from '../../base/metric.ts'
import type { Access } from '../../db/transaction.ts'
import { type ApiError, unavailable } from '../errors/errors.ts'
import { networkOf } from '../rate-limit/network.ts'

export type SlotLimits = Pick<Config, 'requestsInFlightMax' | 'requestsPerCellMax' | 'unidentifiedRequestsMax'>

/** What a request takes up while it is processed. */
export interface RequestSlot {
  /**
   * Moves the request from its address to the identified callers; throws 503 if those use all slots, or all slots for
   * this work.
   */
  identify(work?: CellWork): void
  /** Safe to call twice. */
  release(): void
}

/** What a request needs from the databases. */
export interface CellWork {
  readonly cell: string
  readonly access: Access
}

/**
 * Limits the requests that are processed at once. Identified callers share one limit. A request without a known caller
 * counts for its address only: otherwise anyone could use up the slots of all callers.
 *
 * A cell has a lower limit. More requests than that would only wait for its connections, until the pool rejects them;
 * by then each has cost most of what a served one costs, which is what others then lack. Reads have connections of
 * their own, so writes that wait for a lock must not take the slots of reads.
 */
export class RequestSlots {
  readonly #limits: SlotLimits
  readonly #unidentifiedOf = new Map<string, number>()
  readonly #workOf = new Map<string, number>()
  #identified = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
    open.add(this)
  }

  get inFlight(): number {
    return this.#identified
  }

  /** The limit that would refuse a request of any caller: that of all requests, or that of each of these cells. */
  limitReached(access: Access, cells: Iterable<string>): 'in_flight' | 'cell' | undefined {
    const { requestsInFlightMax, requestsPerCellMax } = this.#limits
    if (this.#identified >= requestsInFlightMax) return 'in_flight'
    let reached: 'cell' | undefined
    for (const cell of cells) {
      if ((this.#workOf.get(shareOf({ cell, access })) ?? 0) < requestsPerCellMax) return undefined
      reached = 'cell'
    }
    return reached
  }

  /** Throws 503 if the address has too many requests without a known caller. */
  take(address: string): RequestSlot {
    const network = networkOf(address)
    const count = this.#unidentifiedOf.get(network) ?? 0
    if (count >= this.#limits.unidentifiedRequestsMax)
      throw refuse('address', 'Too many requests from this address are in progress. Retry shortly.')
    this.#unidentifiedOf.set(network, count + 1)
    let state: 'unidentified' | 'identified' | 'released' = 'unidentified'
    let share: string | undefined
    const release = () => {
      if (state === 'unidentified') decrement(this.#unidentifiedOf, network)
      if (state === 'identified') this.#identified -= 1
      if (state === 'identified' && share) decrement(this.#workOf, share)
      state = 'released'
    }
    const identify = (work?: CellWork) => {
      if (state !== 'unidentified') return
      release()
      if (this.#identified >= this.#limits.requestsInFlightMax) throw refuse('in_flight', tooMany)
      share = work && shareOf(work)
      if (share) this.#takeShare(share)
      this.#identified += 1
      state = 'identified'
    }
    return { identify, release }
  }

  #takeShare(share: string): void {
    const count = this.#workOf.get(share) ?? 0
    if (count >= this.#limits.requestsPerCellMax) throw refuse('cell', tooMany)
    this.#workOf.set(share, count + 1)
  }
}

export const tooMany = 'Too many requests are in progress. Retry shortly.'

function shareOf({ cell, access }: CellWork): string {
  return `${cell} ${access}`
}

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}

type Reason = 'address' | 'in_flight' | 'cell' | 'event_loop'

/** Counts the refused request. */
export function refuse(reason: Reason, message: string): ApiError {
  refused.add(1, { reason })
  return unavailable(message)
}

const refused = counter('requests_refused', {
  description:
    'Requests that got 503 because of a limit: of one `address` without a known caller, of all requests `in_flight`, ' +
    'of those of one `cell`, or of the delay of the `event_loop`',
  labels: ['reason'],
})
for (const reason of ['address', 'in_flight', 'cell', 'event_loop']) refused.add(0, { reason })

const open = new Set<RequestSlots>()
observedGauge('requests_in_flight', {
  description: 'Requests of identified callers that are being processed',
  read: (observe) =>
    observe(
      [...open].reduce((sum, { inFlight }) => sum + inFlight, 0),
      {},
    ),
})
