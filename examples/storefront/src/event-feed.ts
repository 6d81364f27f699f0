import type { Event, InvestorToken, WebhookMessage } from '@investor-token/sdk'
import type { Announcements } from './announcements.ts'
import type { OrderCache } from './order-cache.ts'

// One request returns the events of all orders, so polling costs the same however many visitors watch: 15 of the 30
// requests per minute of a new credential.
const pollMsDefault = 4_000
// Webhooks are fast, but one may be lost. Sequence numbers have no gaps, so slow polling finds the missed events.
const pollMsBesideWebhooks = 30_000
const webhooksAreRecentMs = 120_000
const tickMs = 250

/** Applies events to the shop's state: webhooks, and polled events while a visitor watches an order. */
export class EventFeed {
  readonly #service: InvestorToken
  readonly #orders: OrderCache
  readonly #announcements: Announcements
  readonly #pollMs: number
  #after: number | undefined
  #polling: Promise<void> | undefined
  #polledAt = 0
  #webhookAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(
    service: InvestorToken,
    { orders, announcements }: { orders: OrderCache; announcements: Announcements },
    { pollMs = pollMsDefault }: { pollMs?: number | undefined },
  ) {
    this.#service = service
    this.#orders = orders
    this.#announcements = announcements
    this.#pollMs = pollMs
  }

  /**
   * Starts after the last existing event: sessions are in memory, so no visitor can see an older order. A shop with a
   * database stores the sequence of the last processed event and starts there.
   */
  async start(): Promise<void> {
    this.#after = (await this.#service.events.list({ limit: 10 })).last_sequence
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Applies an event from a verified webhook. */
  receive({ type, sequence, data }: WebhookMessage): void {
    this.#webhookAt = Date.now()
    // A webhook.ping has no sequence and is not an event.
    if (sequence !== undefined) this.#apply({ type, sequence, data })
  }

  /** Applies all new events. Concurrent callers share one poll. */
  poll(): Promise<void> {
    this.#polling ??= this.#readEvents().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  async #readEvents(): Promise<void> {
    this.#polledAt = Date.now()
    for await (const event of this.#service.events.after(this.#after ?? 0)) {
      this.#apply(event)
      this.#after = event.sequence
    }
    this.#orders.refreshStale()
  }

  #apply(event: Pick<Event, 'type' | 'sequence' | 'data'>): void {
    this.#orders.apply(event)
    this.#announcements.apply(event)
  }

  #tick(): void {
    const now = Date.now()
    const everyMs = now - this.#webhookAt < webhooksAreRecentMs ? pollMsBesideWebhooks : this.#pollMs
    if (!this.#orders.hasSubscribers || now - this.#polledAt < Math.max(everyMs, this.#pollMs)) return
    // The SDK has already retried; the next tick polls again.
    this.poll().catch(() => {})
  }
}
