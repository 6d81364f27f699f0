import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { Document, DocumentQuery } from '../document.schema.ts'
import { documentUpload, storeDocument, storeDocumentErrors } from '../store-document.ts'

export const uploadAccountDocument = operatorOperation(
  {
    id: 'uploadAccountDocument',
    summary: 'Add a document to an account',
    description:
      'Stores a file, such as a passport or a register extract, sealed with the key of your tenant. ' +
      'Send it as the body. Its content must be a PDF, a PNG or JPEG image, or plain text; it is not scanned for ' +
      'malware. The same file again changes nothing.',
    tag: 'Accounts',
    method: 'POST',
    path: '/accounts/:accountId/documents',
    duty: 'compliance',
    approval: 'never',
    // Idempotent by the hash of the file, so no key is needed.
    idempotency: 'none',
    params: AccountPath,
    query: DocumentQuery,
    upload: documentUpload,
    success: { status: 201, body: Document },
    errors: storeDocumentErrors,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'account', id: params.accountId }, { file, kind }),
)
