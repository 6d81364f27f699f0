import { addTo } from './counts.ts'

/** A user of something shared. */
export interface Party {
  readonly tenantId: string
  /** The user, credential or sender. */
  readonly callerId: string
}

/** The total, and how much of it one tenant and one caller may use at once. */
export interface ShareLimits {
  readonly all: number
  readonly tenant: number
  readonly caller: number
}

export type ReachedLimit = keyof ShareLimits

/** Counts the users of something shared, so that neither a tenant nor a caller can use all of it. */
export class Shares {
  readonly #limits: ShareLimits
  readonly #ofTenant = new Map<string, number>()
  readonly #ofCaller = new Map<string, number>()
  #used = 0

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  get used(): number {
    return this.#used
  }

  get isFull(): boolean {
    return this.#used >= this.#limits.all
  }

  /** Returns the limit that leaves no room for this party, the widest first. */
  reached({ tenantId, callerId }: Party): ReachedLimit | undefined {
    const { tenant, caller } = this.#limits
    if (this.isFull) return 'all'
    if ((this.#ofCaller.get(callerId) ?? 0) >= caller) return 'caller'
    return (this.#ofTenant.get(tenantId) ?? 0) >= tenant ? 'tenant' : undefined
  }

  /** Counts one more. Returns a function that gives it back, which is safe to call twice. */
  take({ tenantId, callerId }: Party): () => void {
    this.#used += 1
    addTo(this.#ofTenant, tenantId, 1)
    addTo(this.#ofCaller, callerId, 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#used -= 1
      addTo(this.#ofTenant, tenantId, -1)
      addTo(this.#ofCaller, callerId, -1)
    }
  }
}
