import type { Static } from 'typebox'
import type { Export } from './export.schema.ts'
import type { ExportRow } from './export.sql.ts'

export function viewExport(row: ExportRow): Static<typeof Export> {
  return {
    id: row.id,
    kind: row.kind,
    with_personal_data: row.withPersonalData,
    filter: row.filter,
    format: row.format,
    state: row.state,
    row_count: Number(row.rowCount),
    byte_count: Number(row.byteCount),
    sha256: row.sha256?.toString('hex') ?? null,
    unit_sum: row.unitSum,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    expires_at: row.expiresAt.toISOString(),
  }
}
