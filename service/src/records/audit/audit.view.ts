import type { Static } from 'typebox'
import type { AuditRecord } from './audit.schema.ts'
import type { AuditRow } from './audit.sql.ts'

export function viewAudit(row: Omit<AuditRow, 'hash'>): Static<typeof AuditRecord> {
  return {
    sequence: Number(row.sequence),
    at: row.at.toISOString(),
    actor_type: row.actorType,
    actor_id: row.actorId,
    request_id: row.requestId,
    action: row.action,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    before: row.before,
    after: row.after,
  }
}
