import { ApiError } from '../http/errors.ts'
import { operation } from '../http/operation.ts'
import { OrderCancellation, OrderPath } from './order.schema.ts'
import { cancelLockedOrder, lockOrder } from './order.sql.ts'
import { canBecome, holdsReservation } from './order-status.ts'

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
    errors: ['not_found', 'order_not_cancellable'],
  },
  async ({ params }, { tenantId, tx, now }) => {
    const key = { tenantId, ...params }
    const order = await lockOrder(tx, key)
    if (!order) throw new ApiError('not_found', 'There is no such order in this offering.')
    if (order.status !== 'CANCELLED') {
      if (!canBecome(order.status, 'CANCELLED'))
        throw new ApiError('order_not_cancellable', `An order that is ${order.status} can no longer be cancelled.`)
      await cancelLockedOrder(tx, key, { cancelledAt: now, frees: holdsReservation(order.status) })
    }
    const cancelledAt = order.cancelledAt ?? now
    return { id: params.orderId, status: 'CANCELLED' as const, cancellation_date: cancelledAt.toISOString() }
  },
)
