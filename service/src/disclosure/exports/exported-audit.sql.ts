import { sql } from '../../platform/postgres/sql.ts'
import { auditMatching } from '../../records/audit/audit-filter.sql.ts'
import type { ExportSource } from './export-source.ts'
import { cellsOf, type Selected, selectionOf } from './exported-columns.sql.ts'

const columns = {
  sequence: sql`sequence`,
  at: sql`at`,
  actor_type: sql`actor_type`,
  actor_id: sql`actor_id`,
  confirmed_by: sql`confirmed_by`,
  approval_id: sql`approval_id`,
  request_id: sql`request_id`,
  action: sql`action`,
  subject_type: sql`subject_type`,
  subject_id: sql`subject_id`,
  before: sql`before::text`,
  after: sql`after::text`,
}

/** The audit log of the cell. Entries name personal data but never show it, so there are no personal columns. */
export const exportedAudit: ExportSource = {
  duty: 'team',
  columns: Object.keys(columns),
  personalColumns: [],
  filters: ['from', 'to', 'actor_id', 'subject_id', 'action'],
  nextRows: async ({ tenantId, filter, after, limit }, { tx }) => {
    const rows = await tx.rows<Selected & { sequence: string }>(sql`
      select ${selectionOf(columns)} from base.audit_log
      where ${auditMatching(tenantId, filter)} and sequence > ${after ?? '0'}::bigint
      order by sequence limit ${limit}::bigint`)
    return rows.map((row) => ({ key: row.sequence, cells: cellsOf(columns, row) }))
  },
}
