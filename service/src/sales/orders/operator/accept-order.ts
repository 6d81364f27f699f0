import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { announceGateChange } from '../../accounts/recheck-mint-preconditions.ts'
import { tellOfOrder } from '../move-order.ts'
import { orderErrors } from '../order.errors.ts'
import { lockOrder, updateOrder } from '../order-life.sql.ts'
import { OperatorOrder, OperatorOrderPath } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'

export const acceptOrder = operatorOperation(
  {
    id: 'acceptOrder',
    summary: 'Accept an order',
    description: 'For offerings with `acceptance_required`: an order is not minted before somebody has accepted it.',
    tag: 'Orders',
    method: 'POST',
    path: '/orders/:orderId/accept',
    role: 'operator',
    idempotency: 'optional',
    params: OperatorOrderPath,
    success: { status: 200, body: OperatorOrder },
    errors: [requestErrors.not_found, orderErrors.order_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const order = await lockOrder(tx, key)
    if (!order) throw new ApiError(requestErrors.not_found, 'There is no such order.')
    if (order.acceptedAt) audit('nothing changed')
    else {
      if (order.status !== 'ORDERED' && order.status !== 'PAID')
        throw new ApiError(
          orderErrors.order_not_in_state,
          `An order that is ${order.status} cannot be accepted any more.`,
        )
      const accepted = { ...order, acceptedAt: now }
      await Promise.all([
        updateOrder(tx, order.status, accepted),
        tellOfOrder(tx, accepted, 'order.accepted', { previous_status: order.status }),
        announceGateChange(tx, order),
      ])
      audit({ action: 'order.accepted', subject: { type: 'order', id: order.id }, after: { accepted_at: now } })
    }
    return readOperatorOrder(tx, key)
  },
)
