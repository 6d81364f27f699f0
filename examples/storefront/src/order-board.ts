import type { Event, InvestorToken, Order } from '@investor-token/sdk'

/** What the shop knows of an order beside the order itself: the events tell it, the order has no room for it. */
export interface OrderNews {
  order: Order | undefined
  /** What the buyer writes on the transfer. */
  reference: string | undefined
  dueAt: string | undefined
  /** Codes of what keeps a paid order waiting. */
  blockers: readonly string[]
}

interface Entry extends OrderNews {
  readonly watchers: Set<() => void>
  lastSequence: number
  isStale: boolean
  isRefreshing: boolean
}

// A shop that has more orders than this at a time has a database to keep them in.
const entriesMax = 10_000

const nothingKnown: OrderNews = { order: undefined, reference: undefined, dueAt: undefined, blockers: [] }

/** The orders that somebody looks at. An event says that one has changed; how it stands now is asked of the service. */
export class OrderBoard {
  readonly #service: InvestorToken
  readonly #entries = new Map<string, Entry>()
  #watching = 0

  constructor(service: InvestorToken) {
    this.#service = service
  }

  of(orderId: string): OrderNews {
    return this.#entries.get(orderId) ?? nothingKnown
  }

  /** An order as it stands now, asked for with the client of the shop's visitors. */
  async look(service: InvestorToken, offeringId: string, orderId: string): Promise<Order> {
    const changes = this.#entries.get(orderId)?.lastSequence ?? 0
    const order = await service.offerings.orders.get(offeringId, orderId)
    const entry = this.#entry(orderId)
    // What an event has told while we were asking may be newer than the answer.
    entry.isStale = entry.lastSequence !== changes
    if (!entry.isStale || !entry.order) entry.order = order
    return order
  }

  /** Any order of events leads to the same end, and one that comes twice changes nothing. */
  apply({ type, sequence, data }: Pick<Event, 'type' | 'sequence' | 'data'>): void {
    const { order_id: orderId, payment_reference: reference, payment_due_at: dueAt, blockers } = data
    if (typeof orderId !== 'string' || !type.startsWith('order.')) return
    const entry = this.#entry(orderId)
    if (typeof reference === 'string') entry.reference = reference
    if (typeof dueAt === 'string') entry.dueAt = dueAt
    // An older event tells nothing more: the order was asked for after a newer one.
    if (sequence <= entry.lastSequence) return
    entry.lastSequence = sequence
    entry.blockers = Array.isArray(blockers) ? blockers.map(String) : []
    entry.isStale = true
    if (entry.watchers.size > 0) void this.#refresh(entry)
  }

  /** Calls the function whenever there is news, until the answer is called. */
  watch(orderId: string, onNews: () => void): () => void {
    const entry = this.#entry(orderId)
    entry.watchers.add(onNews)
    this.#watching += 1
    if (entry.isStale) void this.#refresh(entry)
    return () => {
      if (entry.watchers.delete(onNews)) this.#watching -= 1
    }
  }

  get isWatched(): boolean {
    return this.#watching > 0
  }

  /** Asks again for what could not be asked for when it changed. */
  refreshStale(): void {
    for (const entry of this.#entries.values()) if (entry.isStale && entry.watchers.size > 0) void this.#refresh(entry)
  }

  /** One question at a time for each order, so that an older answer never follows a newer one. */
  async #refresh(entry: Entry): Promise<void> {
    if (entry.isRefreshing || !entry.order) return
    entry.isRefreshing = true
    try {
      while (entry.isStale) {
        entry.isStale = false
        entry.order = await this.#service.offerings.orders.get(entry.order.offering.id, entry.order.id)
        for (const onNews of entry.watchers) onNews()
      }
    } catch {
      // The client has tried several times. The next look at the events comes back to it.
      entry.isStale = true
    } finally {
      entry.isRefreshing = false
    }
  }

  #entry(orderId: string): Entry {
    const known = this.#entries.get(orderId)
    if (known) return known
    const entry: Entry = {
      ...nothingKnown,
      watchers: new Set(),
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
