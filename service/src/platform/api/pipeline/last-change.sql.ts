import { sql } from '../../postgres/sql.ts'
import type { Transaction } from '../../postgres/transaction.ts'

/** Returns the newest entry of the audit log about a resource. */
export function findLastChange(
  tx: Transaction,
  tenantId: string,
  subjectId: string,
): Promise<{ action: string; actorType: string; actorId: string | null; at: Date } | undefined> {
  return tx.row(sql`
    select action, actor_type as "actorType", actor_id as "actorId", at from base.audit_log
    where tenant_id = ${tenantId} and subject_id = ${subjectId}
    order by sequence desc limit 1`)
}
