import type { Transaction } from '../db/transaction.ts'
import { appendAudit } from './audit.sql.ts'

export const actorTypes = ['administrator', 'credential', 'maintenance', 'system'] as const

/** Who changes something, and in answer to which request. */
export interface Actor {
  readonly type: (typeof actorTypes)[number]
  readonly id: string | null
  readonly requestId: string | null
}

/** One change, by the names of the API. Personal data is named (`changed: ['bank_account']`) and never shown. */
export interface AuditEntry {
  /** What was done, as the subject and a verb in the past: `offering.opened`. */
  readonly action: `${string}.${string}`
  readonly subject: { readonly type: string; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** What an operation says that it changed, or that there was nothing to change. */
export type Audit = (entry: AuditEntry | 'nothing changed') => void

/**
 * Gathers what a request changes and writes it at the end of its transaction: the chain of a tenant is held from the
 * first entry to the commit, so nobody shall wait in between.
 */
export class AuditTrail {
  readonly #actor: Actor
  readonly #entries: AuditEntry[] = []
  #isSilent = true

  constructor(actor: Actor) {
    this.#actor = actor
  }

  readonly add: Audit = (entry) => {
    this.#isSilent = false
    if (entry !== 'nothing changed') this.#entries.push(entry)
  }

  /** Whether nobody has said anything, not even that nothing changed. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  async write(tx: Transaction): Promise<void> {
    await Promise.all(this.#entries.map((entry) => appendAudit(tx, this.#actor, entry)))
  }
}
