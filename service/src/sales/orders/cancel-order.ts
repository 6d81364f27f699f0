import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { cancelLockedOrder } from './cancel-locked-order.ts'
import { orderErrors } from './order.errors.ts'
import { OrderCancellation, OrderPath } from './order.schema.ts'
import { lockOrder } from './order-life.sql.ts'

export const cancelOrder = operation(
  {
    id: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Possible until minting has begun. Cancelling a cancelled order changes nothing and answers as the first ' +
      'time did.',
    tag: 'Orders',
    method: 'PATCH',
    path: '/offerings/:offeringId/orders/:orderId/cancel',
    scopes: ['order.update', 'order.delete'],
    // Takes no key: cancelling a cancelled order answers as the first call did.
    idempotency: 'none',
    params: OrderPath,
    success: { status: 200, body: OrderCancellation },
    errors: [requestErrors.not_found, orderErrors.order_not_cancellable],
  },
  async ({ params }, { tenantId, tx, now }) => {
    const order = await lockOrder(tx, { tenantId, ...params })
    if (!order) throw new ApiError(requestErrors.not_found, 'There is no such order in this offering.')
    const { cancelledAt } = await cancelLockedOrder(tx, order, now)
    return { id: params.orderId, status: 'CANCELLED' as const, cancellation_date: (cancelledAt ?? now).toISOString() }
  },
)
