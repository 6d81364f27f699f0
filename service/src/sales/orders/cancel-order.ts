import { operation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { cancelLockedOrder } from './cancel-locked-order.ts'
import { orderErrors } from './order.errors.ts'
import { OrderCancellation, OrderPath } from './order.schema.ts'
import { lockOrder } from './order-transition.sql.ts'

export const cancelOrder = operation(
  {
    id: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Cancels an order that is not being minted yet. Cancelling it again changes nothing and returns the same ' +
      'response.',
    tag: 'Orders',
    method: 'PATCH',
    path: '/offerings/:offeringId/orders/:orderId/cancel',
    scopes: ['order.update', 'order.delete'],
    // Needs no key: cancelling a cancelled order returns the same response as the first call.
    idempotency: 'none',
    params: OrderPath,
    success: { status: 200, body: OrderCancellation },
    errors: [requestErrors.not_found, orderErrors.order_not_cancellable],
  },
  async ({ params }, { tenantId, tx, now }) => {
    const order = found(await lockOrder(tx, { tenantId, ...params }), 'Order not found in this offering.')
    const { cancelledAt } = await cancelLockedOrder(tx, order, now)
    return { id: params.orderId, status: 'CANCELLED' as const, cancellation_date: (cancelledAt ?? now).toISOString() }
  },
)
