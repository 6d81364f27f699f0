import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OperatorOrderPath } from '../../orders/operator/operator-order.schema.ts'
import { Document } from '../document.schema.ts'
import { readDocumentPage } from '../read-document-page.ts'

export const listOrderDocuments = keysetListOperation(
  {
    id: 'listOrderDocuments',
    summary: 'List the documents of an order',
    description: 'What is stored, without the content, newest first.',
    tag: 'Orders',
    path: '/orders/:orderId/documents',
    duty: 'read',
    params: OperatorOrderPath,
    item: Document,
    errors: [requestErrors.not_found],
  },
  ({ params, page }, context) => readDocumentPage(context, { type: 'order', id: params.orderId }, page),
)
