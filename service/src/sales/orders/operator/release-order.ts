import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { orderErrors } from '../order.errors.ts'
import { lockOrder, updateOrder } from '../order-life.sql.ts'
import { OperatorOrder, OperatorOrderPath } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'

export const releaseOrder = operatorOperation(
  {
    id: 'releaseOrder',
    summary: 'Release an order whose mint was refused',
    description: 'For an order that is held (`mint_held`), once its reason is mended: it is minted with the next ones.',
    tag: 'Orders',
    method: 'POST',
    path: '/orders/:orderId/release',
    role: 'operator',
    idempotency: 'optional',
    params: OperatorOrderPath,
    success: { status: 200, body: OperatorOrder },
    errors: [requestErrors.not_found, orderErrors.order_not_in_state],
  },
  async ({ params }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const order = await lockOrder(tx, key)
    if (!order) throw new ApiError(requestErrors.not_found, 'There is no such order.')
    if (order.status !== 'READYTOMINT')
      throw new ApiError(
        orderErrors.order_not_in_state,
        `An order that is ${order.status} is not held back from a mint.`,
      )
    if (order.heldReason === null && order.mintFailures === 0) audit('nothing changed')
    else {
      await updateOrder(tx, 'READYTOMINT', { ...order, heldReason: null, mintFailures: 0 })
      audit({
        action: 'order.released',
        subject: { type: 'order', id: order.id },
        before: { held_reason: order.heldReason, mint_failures: order.mintFailures },
        after: { held_reason: null, mint_failures: 0 },
      })
    }
    return readOperatorOrder(tx, key)
  },
)
