import type { Static } from 'typebox'
import type { AuditRecord } from './audit.schema.ts'
import type { AuditRow } from './audit.sql.ts'

export function viewAudit(row: AuditRow): Static<typeof AuditRecord> {
  return { ...row, sequence: Number(row.sequence), at: row.at.toISOString() }
}
