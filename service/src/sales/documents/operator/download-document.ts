import { FileResponse } from '../../../platform/api/declare/file-response.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { ContentType } from '../content-type.ts'
import { DocumentPath } from '../document.schema.ts'
import { findDocument, selectDocumentParts } from '../document.sql.ts'
import { documentPartContext } from '../store-document.ts'

const extensions: Readonly<Record<ContentType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'text/plain': 'txt',
}

export const downloadDocument = operatorOperation(
  {
    id: 'downloadDocument',
    summary: 'Download a document',
    description:
      'Returns the file as it was sent, always as `application/octet-stream`, so that no browser displays it. The ' +
      'audit log records who has downloaded it.',
    tag: 'Documents',
    method: 'POST',
    path: '/documents/:documentId/download',
    duty: 'personal',
    approval: 'never',
    idempotency: 'none',
    params: DocumentPath,
    success: { status: 200, body: FileResponse, file: 'application/octet-stream' },
    errors: [requestErrors.not_found],
  },
  async ({ params: { documentId } }, { tenantId, tx, vault, audit }) => {
    const key = { tenantId, documentId }
    const [document, parts] = await tx.batch(
      (tx) => findDocument(tx, key),
      (tx) => selectDocumentParts(tx, key),
    )
    if (!document) throw new ApiError(requestErrors.not_found, 'There is no such document.')
    const texts = await Promise.all(
      parts.map(({ number, content }) => vault.open(content, documentPartContext(documentId, number))),
    )
    audit({
      action: 'document.downloaded',
      subject: { type: 'document', id: documentId },
      after: { [`${document.subjectType}_id`]: document.subjectId, sha256: document.sha256.toString('hex') },
    })
    return {
      name: `document-${documentId}.${extensions[document.contentType]}`,
      content: Buffer.from(texts.join(''), 'base64'),
    }
  },
)
