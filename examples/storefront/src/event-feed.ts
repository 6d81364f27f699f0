import type { InvestorToken, WebhookMessage } from '@investor-token/sdk'
import type { OrderBoard } from './order-board.ts'

// One request tells of all orders, so this costs the same however many people watch: 15 of the 30 requests a minute
// that a credential has at first.
const pollMsDefault = 4_000
// Webhooks are fast, but one may be lost. The numbers of events have no gap, so a slow walk finds what was missed.
const pollMsBesideWebhooks = 30_000
const webhooksAreRecentMs = 120_000
const tickMs = 250

/** Brings events to the board: those that the service sends, and those that we ask for while somebody watches. */
export class EventFeed {
  readonly #service: InvestorToken
  readonly #board: OrderBoard
  readonly #pollMs: number
  #after: number | undefined
  #polling: Promise<void> | undefined
  #polledAt = 0
  #webhookAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(service: InvestorToken, board: OrderBoard, { pollMs = pollMsDefault }: { pollMs?: number | undefined }) {
    this.#service = service
    this.#board = board
    this.#pollMs = pollMs
  }

  /**
   * Begins where the stream ends now: sessions are in memory, so nobody can ask for what was before. A shop with a
   * database keeps the number of the last event it has worked on, and begins there.
   */
  async start(): Promise<void> {
    this.#after = (await this.#service.events.list({ limit: 10 })).last_sequence
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** An event that the service has sent and signed. */
  receive({ type, sequence, data }: WebhookMessage): void {
    this.#webhookAt = Date.now()
    // A ping tells only that messages get through.
    if (sequence !== undefined) this.#board.apply({ type, sequence, data })
  }

  /** Everything that has happened up to now; who asks meanwhile gets the same answer. */
  poll(): Promise<void> {
    this.#polling ??= this.#walk().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  async #walk(): Promise<void> {
    this.#polledAt = Date.now()
    for await (const event of this.#service.events.after(this.#after ?? 0)) {
      this.#board.apply(event)
      this.#after = event.sequence
    }
    this.#board.refreshStale()
  }

  #tick(): void {
    const now = Date.now()
    const everyMs = now - this.#webhookAt < webhooksAreRecentMs ? pollMsBesideWebhooks : this.#pollMs
    if (!this.#board.isWatched || now - this.#polledAt < Math.max(everyMs, this.#pollMs)) return
    // The client has tried several times; the next tick tries again.
    this.poll().catch(() => {})
  }
}
