import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { OperatorOrderPath } from '../../orders/operator/operator-order.schema.ts'
import { offeringOfOrder } from '../../orders/operator/operator-order.sql.ts'
import { describeUpload, storeDocument, uploadHeader } from '../store-document.ts'

export const uploadOrderDocument = operatorOperation(
  {
    ...uploadHeader,
    id: 'uploadOrderDocument',
    summary: 'Add a document to an order',
    description: describeUpload('a signed subscription form'),
    tag: 'Orders',
    path: '/orders/:orderId/documents',
    duty: 'offerings',
    offering: offeringOfOrder,
    approval: 'never',
    params: OperatorOrderPath,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'order', id: params.orderId }, { file, kind }),
)
