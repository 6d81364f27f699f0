import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { cancelLockedOrder } from '../cancel-locked-order.ts'
import { orderErrors } from '../order.errors.ts'
import { lockOrder } from '../order-transition.sql.ts'
import { OrderCancellationReason } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'
import { orderChange } from './order-decision.ts'

export const cancelOrderForOperator = operatorOperation(
  {
    ...orderChange,
    id: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Cancels an order that is not being minted yet. Its units become available again, and the amount paid is ' +
      'refunded. Cancelling it again changes nothing.',
    path: '/orders/:orderId/cancel',
    duty: 'offerings',
    body: OrderCancellationReason,
    errors: [requestErrors.not_found, orderErrors.order_not_cancellable],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const order = found(await lockOrder(tx, key), 'Order not found.')
    await cancelLockedOrder(tx, order, now)
    if (order.status === 'CANCELLED') audit('nothing changed')
    else
      audit({
        action: 'order.cancelled',
        subject: { type: 'order', id: order.id },
        before: { status: order.status, paid_amount: order.paidAmount },
        after: { status: 'CANCELLED', paid_amount: '0', reason: body.reason },
      })
    return readOperatorOrder(tx, key)
  },
)
