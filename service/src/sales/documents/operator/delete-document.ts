import { countStoredFiles } from '../../../access/tenants/count-stored-files.ts'
import type { Policy } from '../../../platform/api/declare/approval.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { Document, DocumentDeletion, DocumentPath } from '../document.schema.ts'
import {
  type DocumentKey,
  type DocumentRow,
  deleteDocumentRows,
  documentFingerprint,
  findDocument,
  isRequiredOnceOpened,
  lockDocumentSubject,
} from '../document.sql.ts'
import { viewDocument } from '../document.view.ts'

export const deleteDocument = operatorOperation(
  {
    id: 'deleteDocument',
    summary: 'Delete a document',
    description:
      'Deletes the file. The audit log keeps its hash and the reason. A document of an account may need a second ' +
      'person by the policy `kyc_reapproval`, and one that investors must accept by the policy `offering_opening`, ' +
      'once its offering is no longer a draft.',
    tag: 'Documents',
    method: 'POST',
    path: '/documents/:documentId/delete',
    duty: 'compliance',
    approval: 'policy',
    idempotency: 'optional',
    params: DocumentPath,
    body: DocumentDeletion,
    success: { status: 200, body: Document },
    errors: [requestErrors.not_found],
  },
  async ({ params: { documentId }, body: { reason } }, { tenantId, tx, audit }) => {
    const document = found(await lockDocument(tx, { tenantId, documentId }), 'There is no such document.')
    await countStoredFiles(tx, tenantId, -(await deleteDocumentRows(tx, tenantId, [documentId])))
    audit({
      action: 'document.deleted',
      subject: { type: 'document', id: documentId },
      before: { [`${document.subjectType}_id`]: document.subjectId, sha256: document.sha256.toString('hex') },
      after: { reason },
    })
    return viewDocument(document)
  },
  {
    policy: async ({ params }, { tenantId, tx }) => policiesOf(tx, { tenantId, ...params }),
    subject: 'document',
    fingerprint: documentFingerprint,
  },
)

/** Locks the document's offering too: meanwhile nobody can make the document a required one or open the offering. */
async function lockDocument(tx: Transaction, key: DocumentKey): Promise<DocumentRow | undefined> {
  const document = await findDocument(tx, key)
  if (document?.subjectType === 'offering')
    await lockDocumentSubject(tx, key.tenantId, { type: 'offering', id: document.subjectId })
  return document
}

/** A document of an account is evidence for its approval; one that investors accept is part of the sale. */
async function policiesOf(tx: Transaction, key: DocumentKey): Promise<Policy[]> {
  const document = await lockDocument(tx, key)
  if (document?.subjectType === 'account') return ['kyc_reapproval']
  return (await isRequiredOnceOpened(tx, key)) ? ['offering_opening'] : []
}
