import type { Actor, Audit, AuditEntry, RequestAudit } from '../../platform/api/declare/audit.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from './append-audit.sql.ts'

/**
 * Collects the audit entries of a request and writes them at the end of its transaction. The first write locks the
 * tenant's hash chain until the commit, so writing earlier would make other requests of the tenant wait longer.
 */
export class AuditTrail implements RequestAudit {
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

  get isSilent(): boolean {
    return this.#isSilent
  }

  async write(tx: Transaction): Promise<void> {
    await tx.each(this.#entries, (tx, entry) => appendAudit(tx, this.#actor, entry))
  }
}
