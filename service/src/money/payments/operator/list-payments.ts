import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OperatorOrderPath } from '../../../sales/orders/operator/operator-order.schema.ts'
import { findOperatorOrder } from '../../../sales/orders/operator/operator-order.sql.ts'
import { ListedPayment } from '../payment.schema.ts'
import { pageOfPayments } from '../payment.sql.ts'
import { viewListedPayment } from '../payment.view.ts'

export const listPayments = keysetListOperation(
  {
    id: 'listPayments',
    summary: 'List the payments of an order',
    description: 'Returns all payments received for an order, including those that are refunded.',
    tag: 'Payments and refunds',
    path: '/orders/:orderId/payments',
    duty: 'read',
    params: OperatorOrderPath,
    item: ListedPayment,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const [order, { count, rows }] = await tx.batch(
      (tx) => findOperatorOrder(tx, { tenantId, ...params }),
      (tx) => pageOfPayments(tx, tenantId, params.orderId, page),
    )
    if (!order) throw new ApiError(requestErrors.not_found, 'Order not found.')
    return { count, ...pageOf(rows, page, viewListedPayment) }
  },
)
