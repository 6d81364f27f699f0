import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { orderErrors } from '../order.errors.ts'
import { lockOrder, updateOrder } from '../order-transition.sql.ts'
import { readOperatorOrder } from './operator-order.view.ts'
import { orderChange } from './order-decision.ts'

export const releaseMintHold = operatorOperation(
  {
    ...orderChange,
    id: 'releaseMintHold',
    summary: 'Release an order whose mint is on hold',
    description:
      'Call this after you have fixed the reason in the blocker `mint_on_hold`. The next mint includes the order.',
    path: '/orders/:orderId/release',
    duty: 'settlement',
    errors: [requestErrors.not_found, orderErrors.order_not_in_state],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const order = found(await lockOrder(tx, key), 'Order not found.')
    if (order.status !== 'READYTOMINT')
      throw new ApiError(
        orderErrors.order_not_in_state,
        `Only an order that is READYTOMINT can be on hold; this one is ${order.status}.`,
      )
    if (order.mintHoldReason === null && order.mintFailures === 0) audit('nothing changed')
    else {
      await updateOrder(tx, 'READYTOMINT', { ...order, mintHoldReason: null, mintFailures: 0 })
      audit({
        action: 'order.released',
        subject: { type: 'order', id: order.id },
        before: { mint_hold_reason: order.mintHoldReason, mint_failures: order.mintFailures },
        after: { mint_hold_reason: null, mint_failures: 0 },
      })
    }
    return readOperatorOrder(tx, key)
  },
)
