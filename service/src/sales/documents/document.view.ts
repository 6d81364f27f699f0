import type { Static } from 'typebox'
import type { Document } from './document.schema.ts'
import type { DocumentRow } from './document.sql.ts'

export function viewDocument(row: DocumentRow): Static<typeof Document> {
  return {
    id: row.id,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    kind: row.kind,
    content_type: row.contentType,
    bytes: row.bytes,
    sha256: row.sha256.toString('hex'),
    uploaded_by: row.uploadedBy,
    created_at: row.createdAt.toISOString(),
  }
}
