import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { OperatorOrderPath } from '../../orders/operator/operator-order.schema.ts'
import { offeringOfOrder } from '../../orders/operator/operator-order.sql.ts'
import { Document, DocumentQuery } from '../document.schema.ts'
import { documentUpload, storeDocument, storeDocumentErrors } from '../store-document.ts'

export const uploadOrderDocument = operatorOperation(
  {
    id: 'uploadOrderDocument',
    summary: 'Add a document to an order',
    description:
      'Stores a file, such as a signed subscription form, sealed with the key of your tenant. ' +
      'Send it as the body. Its content must be a PDF, a PNG or JPEG image, or plain text; it is not scanned for ' +
      'malware. The same file again changes nothing.',
    tag: 'Orders',
    method: 'POST',
    path: '/orders/:orderId/documents',
    duty: 'offerings',
    offering: offeringOfOrder,
    approval: 'never',
    // Idempotent by the hash of the file, so no key is needed.
    idempotency: 'none',
    params: OperatorOrderPath,
    query: DocumentQuery,
    upload: documentUpload,
    success: { status: 201, body: Document },
    errors: storeDocumentErrors,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'order', id: params.orderId }, { file, kind }),
)
