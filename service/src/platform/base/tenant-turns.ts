type Start = () => void

/**
 * Runs at most `max` pieces of work at a time. Tenants with waiting work take turns, so that a tenant with hundreds of
 * pieces delays another tenant's single one by one turn.
 */
export class TenantTurns {
  readonly #max: number
  #running = 0
  /** Tenants in the order of their next turn. */
  readonly #waiting = new Map<string, Start[]>()

  constructor(max: number) {
    this.#max = max
  }

  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#max) this.#running += 1
    else await new Promise<void>((resolve) => this.#wait(tenantId, resolve))
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #wait(tenantId: string, start: Start): void {
    const waiting = this.#waiting.get(tenantId)
    if (waiting) waiting.push(start)
    else this.#waiting.set(tenantId, [start])
  }

  /** Gives the slot of work that has ended to the tenant whose turn it is. */
  #startNext(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running -= 1
      return
    }
    const [tenantId, starts] = next
    this.#waiting.delete(tenantId)
    const start = starts.shift()
    if (starts.length > 0) this.#waiting.set(tenantId, starts)
    start?.()
  }
}
