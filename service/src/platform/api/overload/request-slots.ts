import type { Config } from '../../base/config.ts'
import { addTo } from '../../base/counts.ts'
import { counter, observedGauge } from '../../base/metric.ts'
import { type Party, type ReachedLimit, Shares } from '../../base/shares.ts'
import type { Access } from '../../postgres/transaction.ts'
import { ApiError, unavailable } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { networkOf } from '../rate-limit/network.ts'

export type SlotLimits = Pick<
  Config,
  | 'requestsInFlightMax'
  | 'requestsPerCellMax'
  | 'requestsPerTenantMax'
  | 'requestsPerCallerMax'
  | 'arrivingBodiesMax'
  | 'unidentifiedRequestsMax'
>

/** Capacity that a request takes up while it is processed. */
export interface RequestSlot {
  /**
   * Moves the request from its address to its caller. A request that has arrived takes a slot. One whose body is still
   * arriving counts among those bodies, and takes its slot when `begin` is called. Throws 429 if the caller or its
   * tenant has used up its share, and 503 if all callers together have used up everything.
   */
  identify(use: SlotUse): void
  /** Takes the slot once the body has arrived; throws like `identify`. Safe to call twice. */
  begin(): void
  /** Safe to call twice. */
  release(): void
}

export interface SlotUse {
  readonly party: Party
  /** Undefined while the cell of the tenant is not known, and for requests that are signed. */
  readonly workOf?: () => CellWork | undefined
  /** True if a part of the body has not arrived yet. */
  readonly isArriving: boolean
}

/** Work that a request causes in the databases. */
export interface CellWork {
  readonly cell: string
  readonly access: Access
}

/**
 * Limits the requests that are processed at once. Identified callers share one limit. A request without a known caller
 * counts for its address only: otherwise anyone could use up the slots of all callers.
 *
 * A cell has a lower limit. Further requests would only wait for its connections until the pool rejects them, and by
 * then each has cost most of the work of a served one. Reads have connections of their own, so writes that wait for a
 * lock must not take the slots of reads. Within a cell, each tenant and each caller has a share of the slots.
 *
 * A body that is still arriving has no slot, because its sender decides how long it takes: such bodies have a separate
 * limit.
 */
export class RequestSlots {
  readonly #limits: SlotLimits
  readonly #unidentifiedOf = new Map<string, number>()
  readonly #workOf = new Map<string, Shares>()
  readonly #arriving: Shares
  /** Requests without known work. A tenant may have half of them. */
  readonly #withoutWork: Shares
  #identified = 0

  constructor(limits: SlotLimits) {
    const { requestsInFlightMax: all, arrivingBodiesMax } = limits
    this.#limits = limits
    this.#withoutWork = new Shares({ all, tenant: partOf(all, 1 / 2), caller: partOf(all, 1 / 2) })
    this.#arriving = new Shares({
      all: arrivingBodiesMax,
      tenant: partOf(arrivingBodiesMax, arrivingPerTenant),
      caller: partOf(arrivingBodiesMax, arrivingPerCaller),
    })
    open.add(this)
  }

  get inFlight(): number {
    return this.#identified
  }

  get arriving(): number {
    return this.#arriving.used
  }

  /**
   * Rejects a request before its caller is verified: any caller if all requests, or those of each of these cells, are
   * at their limit; otherwise the caller who last presented the same token, if that caller is at its limit.
   */
  rejection(access: Access, cells: Iterable<string>, known: Party | undefined): ApiError | undefined {
    if (this.#identified >= this.#limits.requestsInFlightMax) return refuse('in_flight', tooMany)
    let isEachFull = true
    let isKnown = false
    for (const cell of cells) {
      isKnown = true
      const shares = this.#workOf.get(keyOf({ cell, access }))
      const reached = known && shares?.reached(known)
      if (known && (reached === 'caller' || reached === 'tenant')) return this.#refuseWork(reached)
      if (!shares?.isFull) isEachFull = false
    }
    return isKnown && isEachFull ? refuse('cell', tooMany) : undefined
  }

  /** Returns true if the caller or its tenant has no room left for an arriving body. */
  hasNoRoomFor(caller: Party): boolean {
    const reached = this.#arriving.reached(caller)
    return reached === 'caller' || reached === 'tenant'
  }

  /** Throws 503 if the address has too many requests without a known caller. */
  take(address: string): RequestSlot {
    const network = networkOf(address)
    if ((this.#unidentifiedOf.get(network) ?? 0) >= this.#limits.unidentifiedRequestsMax)
      throw refuse('address', 'Too many requests from this address are in progress. Retry shortly.')
    addTo(this.#unidentifiedOf, network, 1)
    let leave = () => addTo(this.#unidentifiedOf, network, -1)
    let use: SlotUse | undefined
    const release = () => {
      leave()
      leave = () => {}
    }
    const begin = () => {
      if (!use?.isArriving) return
      release()
      const { party, workOf } = use
      use = { ...use, isArriving: false }
      leave = this.#takeSlot(party, workOf?.())
    }
    const identify = (identified: SlotUse) => {
      if (use) return
      use = identified
      release()
      const { party, workOf, isArriving } = identified
      leave = isArriving ? this.#takeRoom(party) : this.#takeSlot(party, workOf?.())
    }
    return { identify, begin, release }
  }

  #takeRoom(party: Party): () => void {
    const reached = this.#arriving.reached(party)
    if (!reached) return this.#arriving.take(party)
    throw refuseBody(reached)
  }

  #takeSlot(party: Party, work: CellWork | undefined): () => void {
    const { requestsInFlightMax } = this.#limits
    if (this.#identified >= requestsInFlightMax) throw refuse('in_flight', tooMany)
    const shares = work ? this.#sharesOf(work) : this.#withoutWork
    const reached = shares.reached(party)
    if (reached) throw this.#refuseWork(reached)
    const giveBack = shares.take(party)
    this.#identified += 1
    return () => {
      giveBack()
      this.#identified -= 1
    }
  }

  #refuseWork(reached: ReachedLimit): ApiError {
    if (reached === 'all') return refuse('cell', tooMany)
    const whose = reached === 'caller' ? 'You have' : 'All callers of your tenant together have'
    return refuse(reached, `${whose} as many requests in progress as allowed. Retry when one of them is done.`, reached)
  }

  #sharesOf(work: CellWork): Shares {
    const key = keyOf(work)
    const { requestsPerCellMax: all, requestsPerTenantMax: tenant, requestsPerCallerMax: caller } = this.#limits
    const shares = this.#workOf.get(key) ?? new Shares({ all, tenant, caller })
    this.#workOf.set(key, shares)
    return shares
  }
}

const tooMany = 'Too many requests are in progress. Retry shortly.'

/** Shares of the bodies that may arrive at once. */
export const arrivingPerTenant = 1 / 4
export const arrivingPerCaller = 1 / 20

function partOf(all: number, part: number): number {
  return Math.max(1, Math.floor(all * part))
}

function keyOf({ cell, access }: CellWork): string {
  return `${cell} ${access}`
}

const reasons = ['address', 'in_flight', 'cell', 'tenant', 'caller', 'bodies', 'event_loop'] as const

/** Returns the rejection of a body that has no room, by default because its caller or tenant has used up its share. */
export function refuseBody(reached: ReachedLimit = 'caller'): ApiError {
  return refuse('bodies', 'Too many request bodies are arriving at once. Send each body without a pause.', reached)
}

/** Counts the refused request. It is 429 if its caller or its tenant has reached its own limit. */
export function refuse(reason: (typeof reasons)[number], message: string, reached?: ReachedLimit): ApiError {
  refused.add(1, { reason })
  if (reached === undefined || reached === 'all') return unavailable(message)
  return new ApiError(requestErrors.rate_limited, message, { headers: { 'retry-after': '1' } })
}

const refused = counter('requests_refused', {
  description:
    'Requests that were refused because of what is processed at once. 503: too much of one `address` without a known ' +
    'caller, of all requests `in_flight`, of those of one `cell`, or of the delay of the `event_loop`. 429: the ' +
    'share of a `tenant` or a `caller`. Either: `bodies` that are arriving',
  labels: ['reason'],
})
for (const reason of reasons) refused.add(0, { reason })

const open = new Set<RequestSlots>()
observedGauge('requests_in_flight', {
  description: 'Requests of identified callers that are being processed',
  read: (observe) =>
    observe(
      [...open].reduce((sum, { inFlight }) => sum + inFlight, 0),
      {},
    ),
})
observedGauge('requests_arriving', {
  description: 'Requests of identified callers whose bodies are still arriving',
  read: (observe) =>
    observe(
      [...open].reduce((sum, { arriving }) => sum + arriving, 0),
      {},
    ),
})
