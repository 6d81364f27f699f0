import type { Static } from 'typebox'
import type { RequestEntry } from './request.schema.ts'
import type { RequestRow } from './request-log.sql.ts'

export function viewRequest(row: RequestRow): Static<typeof RequestEntry> {
  return {
    id: row.id,
    request_id: row.requestId,
    responded_at: row.respondedAt.toISOString(),
    method: row.method,
    path: row.route,
    status: row.status,
    code: row.code,
    duration_ms: row.durationMs,
    idempotency_key: row.idempotencyKey,
  }
}
