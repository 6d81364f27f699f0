import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Document, DocumentDeletion, DocumentPath } from '../document.schema.ts'
import { deleteDocumentRows, findDocument } from '../document.sql.ts'
import { viewDocument } from '../document.view.ts'

export const deleteDocument = operatorOperation(
  {
    id: 'deleteDocument',
    summary: 'Delete a document',
    description: 'Deletes the file. The audit log keeps its hash and the reason.',
    tag: 'Documents',
    method: 'POST',
    path: '/documents/:documentId/delete',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: DocumentPath,
    body: DocumentDeletion,
    success: { status: 200, body: Document },
    errors: [requestErrors.not_found],
  },
  async ({ params: { documentId }, body: { reason } }, { tenantId, tx, audit }) => {
    const document = await findDocument(tx, { tenantId, documentId })
    if (!document) throw new ApiError(requestErrors.not_found, 'There is no such document.')
    await deleteDocumentRows(tx, tenantId, [documentId])
    audit({
      action: 'document.deleted',
      subject: { type: 'document', id: documentId },
      before: { [`${document.subjectType}_id`]: document.subjectId, sha256: document.sha256.toString('hex') },
      after: { reason },
    })
    return viewDocument(document)
  },
)
