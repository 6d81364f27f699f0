import { operation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { Order, OrderPath } from './order.schema.ts'
import { findOrder } from './order.sql.ts'
import { viewOrder } from './order.view.ts'

export const getOrder = operation(
  {
    id: 'getOrder',
    summary: 'Read an order',
    description: 'Returns an order with its account, its offering and the bank account to pay into.',
    tag: 'Orders',
    method: 'GET',
    path: '/offerings/:offeringId/orders/:orderId',
    scopes: ['order.read'],
    idempotency: 'none',
    params: OrderPath,
    success: { status: 200, body: Order },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const order = found(await findOrder(tx, { tenantId, ...params }), 'Order not found in this offering.')
    return viewOrder(order)
  },
)
