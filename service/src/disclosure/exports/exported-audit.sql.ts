import { sql } from '../../platform/postgres/sql.ts'
import { auditMatching } from '../../records/audit/audit-filter.sql.ts'
import { type ExportSource, time } from './export-source.ts'

interface AuditCells {
  sequence: string
  at: Date
  actorType: string
  actorId: string | null
  confirmedBy: string | null
  approvalId: string | null
  requestId: string | null
  action: string
  subjectType: string
  subjectId: string
  before: string | null
  after: string | null
}

/** The audit log of the cell. Entries name personal data but never show it, so there are no personal columns. */
export const exportedAudit: ExportSource = {
  duty: 'team',
  columns: [
    'sequence',
    'at',
    'actor_type',
    'actor_id',
    'confirmed_by',
    'approval_id',
    'request_id',
    'action',
    'subject_type',
    'subject_id',
    'before',
    'after',
  ],
  personalColumns: [],
  filters: ['from', 'to', 'actor_id', 'subject_id', 'action'],
  nextRows: async ({ tenantId, filter, after, limit }, { tx }) => {
    const rows = await tx.rows<AuditCells>(sql`
      select sequence, at, actor_type as "actorType", actor_id as "actorId", confirmed_by as "confirmedBy",
             approval_id as "approvalId", request_id as "requestId", action, subject_type as "subjectType",
             subject_id as "subjectId", before::text as before, after::text as after
      from base.audit_log
      where ${auditMatching(tenantId, filter)} and sequence > ${after ?? '0'}::bigint
      order by sequence limit ${limit}::bigint`)
    return rows.map((row) => ({
      key: row.sequence,
      cells: [
        row.sequence,
        time(row.at),
        row.actorType,
        row.actorId,
        row.confirmedBy,
        row.approvalId,
        row.requestId,
        row.action,
        row.subjectType,
        row.subjectId,
        row.before,
        row.after,
      ],
    }))
  },
}
