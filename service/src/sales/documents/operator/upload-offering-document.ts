import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { Document, DocumentQuery } from '../document.schema.ts'
import { documentUpload, storeDocument, storeDocumentErrors } from '../store-document.ts'

export const uploadOfferingDocument = operatorOperation(
  {
    id: 'uploadOfferingDocument',
    summary: 'Add a document to an offering',
    description:
      'Stores a file, such as a prospectus, sealed with the key of your tenant. ' +
      'Send it as the body. Its content must be a PDF, a PNG or JPEG image, or plain text; it is not scanned for ' +
      'malware. The same file again changes nothing.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/documents',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    // Idempotent by the hash of the file, so no key is needed.
    idempotency: 'none',
    params: OfferingPath,
    query: DocumentQuery,
    upload: documentUpload,
    success: { status: 201, body: Document },
    errors: storeDocumentErrors,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'offering', id: params.offeringId }, { file, kind }),
)
