import { operation } from '../../platform/api/declare/operation.ts'
import { readOne } from '../../platform/api/declare/read-one.ts'
import { found } from '../../platform/api/errors/found.ts'
import { Order, OrderPath } from './order.schema.ts'
import { findOrder } from './order.sql.ts'
import { viewOrder } from './order.view.ts'

export const getOrder = operation(
  {
    ...readOne,
    id: 'getOrder',
    summary: 'Read an order',
    description: 'Returns an order with its account, its offering and the bank account to pay into.',
    tag: 'Orders',
    path: '/offerings/:offeringId/orders/:orderId',
    scopes: ['order.read'],
    params: OrderPath,
    success: { status: 200, body: Order },
  },
  async ({ params }, { tenantId, tx }) => {
    const order = found(await findOrder(tx, { tenantId, ...params }), 'Order not found in this offering.')
    return viewOrder(order)
  },
)
