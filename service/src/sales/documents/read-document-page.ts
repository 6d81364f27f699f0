import type { Static } from 'typebox'
import type { CursorPosition } from '../../platform/api/declare/cursor.ts'
import { type KeysetPage, pageOf } from '../../platform/api/declare/keyset-list.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Document } from './document.schema.ts'
import { countDocuments, type DocumentSubject, documentSubjectExists, selectDocuments } from './document.sql.ts'
import { viewDocument } from './document.view.ts'

/** Reads a page of the documents of one account, order or offering. */
export async function readDocumentPage(
  { tenantId, tx }: OperatorContext,
  subject: DocumentSubject,
  page: KeysetPage,
): Promise<{ count: number; results: Static<typeof Document>[]; next: CursorPosition | undefined }> {
  const [exists, count, rows] = await tx.batch(
    (tx) => documentSubjectExists(tx, tenantId, subject),
    (tx) => countDocuments(tx, tenantId, subject),
    (tx) => selectDocuments(tx, tenantId, subject, page),
  )
  if (!exists) throw new ApiError(requestErrors.not_found, `There is no such ${subject.type}.`)
  return { count, ...pageOf(rows, page, viewDocument) }
}
