import type { Event, InvestorToken, Order } from '@investor-token/sdk'

/** An order, and the details that only its events contain. */
export interface OrderState {
  order: Order | undefined
  /** The payment reference for the bank transfer. */
  reference: string | undefined
  dueAt: string | undefined
  /** Codes of the blockers of a paid order. */
  blockers: readonly string[]
}

interface Entry extends OrderState {
  readonly subscribers: Set<() => void>
  lastSequence: number
  isStale: boolean
  isRefreshing: boolean
}

// A shop with more concurrent orders should use a database.
const entriesMax = 10_000

const unknownOrder: OrderState = { order: undefined, reference: undefined, dueAt: undefined, blockers: [] }

/** Caches the orders that visitors watch. An event marks its order as stale; the cache then fetches it again. */
export class OrderCache {
  readonly #service: InvestorToken
  readonly #entries = new Map<string, Entry>()
  #subscriberCount = 0

  constructor(service: InvestorToken) {
    this.#service = service
  }

  of(orderId: string): OrderState {
    return this.#entries.get(orderId) ?? unknownOrder
  }

  /** Fetches the current order for a page, with the client that serves visitors. */
  async fetch(service: InvestorToken, offeringId: string, orderId: string): Promise<Order> {
    const sequenceBefore = this.#entries.get(orderId)?.lastSequence ?? 0
    const order = await service.offerings.orders.get(offeringId, orderId)
    const entry = this.#entry(orderId)
    // An event that arrived during the request may be newer than the response.
    entry.isStale = entry.lastSequence !== sequenceBefore
    if (!entry.isStale || !entry.order) entry.order = order
    return order
  }

  /** Applies an event. Idempotent, and independent of the order of events. */
  apply({ type, sequence, data }: Pick<Event, 'type' | 'sequence' | 'data'>): void {
    const { order_id: orderId, payment_reference: reference, payment_due_at: dueAt, blockers } = data
    if (typeof orderId !== 'string' || !type.startsWith('order.')) return
    const entry = this.#entry(orderId)
    if (typeof reference === 'string') entry.reference = reference
    if (typeof dueAt === 'string') entry.dueAt = dueAt
    // An older event adds nothing: a newer one has already marked the order as stale.
    if (sequence <= entry.lastSequence) return
    entry.lastSequence = sequence
    entry.blockers = Array.isArray(blockers) ? blockers.map(String) : []
    entry.isStale = true
    if (entry.subscribers.size > 0) void this.#refresh(entry)
  }

  /** Calls `onChange` after every change. Returns a function that unsubscribes. */
  subscribe(orderId: string, onChange: () => void): () => void {
    const entry = this.#entry(orderId)
    entry.subscribers.add(onChange)
    this.#subscriberCount += 1
    if (entry.isStale) void this.#refresh(entry)
    return () => {
      if (entry.subscribers.delete(onChange)) this.#subscriberCount -= 1
    }
  }

  get hasSubscribers(): boolean {
    return this.#subscriberCount > 0
  }

  /** Fetches watched orders again whose refresh failed. */
  refreshStale(): void {
    for (const entry of this.#entries.values())
      if (entry.isStale && entry.subscribers.size > 0) void this.#refresh(entry)
  }

  /** Runs at most one request at a time per order, so that an older response never overwrites a newer one. */
  async #refresh(entry: Entry): Promise<void> {
    if (entry.isRefreshing || !entry.order) return
    entry.isRefreshing = true
    try {
      while (entry.isStale) {
        entry.isStale = false
        entry.order = await this.#service.offerings.orders.get(entry.order.offering.id, entry.order.id)
        for (const onChange of entry.subscribers) onChange()
      }
    } catch {
      // The SDK has already retried. The next poll calls refreshStale.
      entry.isStale = true
    } finally {
      entry.isRefreshing = false
    }
  }

  #entry(orderId: string): Entry {
    const known = this.#entries.get(orderId)
    if (known) return known
    const entry: Entry = {
      ...unknownOrder,
      subscribers: new Set(),
      lastSequence: 0,
      isStale: false,
      isRefreshing: false,
    }
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= entriesMax) this.#entries.delete(oldest)
    this.#entries.set(orderId, entry)
    return entry
  }
}
