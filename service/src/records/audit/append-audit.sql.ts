import type { Actor, AuditEntry } from '../../platform/api/declare/audit.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** Appends an entry to the audit log of the transaction's tenant, in the transaction's database. */
export async function appendAudit(tx: Transaction, actor: Actor, entry: AuditEntry): Promise<void> {
  tx.later(sql`
    select from base.append_audit(
      ${actor.type}, ${actor.id}, ${actor.confirmation?.userId ?? null}, ${actor.confirmation?.approvalId ?? null},
      ${actor.requestId}, ${entry.action}, ${entry.subject.type}, ${entry.subject.id},
      ${entry.before ? JSON.stringify(entry.before) : null}, ${entry.after ? JSON.stringify(entry.after) : null})`)
}
