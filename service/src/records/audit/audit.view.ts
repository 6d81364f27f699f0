import type { Static } from 'typebox'
import type { AuditRecord } from './audit.schema.ts'
import type { AuditRow } from './audit.sql.ts'

export function viewAudit(
  row: Omit<AuditRow, 'hash'>,
  callerNames: ReadonlyMap<string, string>,
): Static<typeof AuditRecord> {
  const nameOf = (id: string | null) => (id === null ? null : (callerNames.get(id) ?? null))
  return {
    sequence: Number(row.sequence),
    at: row.at.toISOString(),
    actor_type: row.actorType,
    actor_id: row.actorId,
    actor_name: nameOf(row.actorId),
    confirmed_by: row.confirmedBy,
    confirmed_by_name: nameOf(row.confirmedBy),
    approval_id: row.approvalId,
    request_id: row.requestId,
    action: row.action,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    before: row.before,
    after: row.after,
  }
}
