import { addTo } from './counts.ts'

/** Counts the work of each tenant in this process, so that one tenant cannot occupy all slots of something shared. */
export class TenantSlots {
  readonly #max: number
  readonly #used = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** Takes a slot even if the tenant has none left: work that has already started counts too. */
  take(tenantId: string): void {
    addTo(this.#used, tenantId, 1)
  }

  release(tenantId: string): void {
    addTo(this.#used, tenantId, -1)
  }

  isFull(tenantId: string): boolean {
    return (this.#used.get(tenantId) ?? 0) >= this.#max
  }

  /** Returns the tenants that have no slot left. */
  fullTenants(): string[] {
    return [...this.#used].filter(([, used]) => used >= this.#max).map(([tenantId]) => tenantId)
  }
}
