import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueRecheck } from '../../blockers/recheck-orders.ts'
import { orderErrors } from '../order.errors.ts'
import { lockOrder, updateOrder } from '../order-transition.sql.ts'
import { recordOrderEvent } from '../transition-order.ts'
import { readOperatorOrder } from './operator-order.view.ts'
import { orderChange } from './order-decision.ts'

export const acceptOrder = operatorOperation(
  {
    ...orderChange,
    id: 'acceptOrder',
    summary: 'Accept an order',
    description:
      'In an offering with `acceptance_required`, an order is minted only after an operator has accepted it.',
    path: '/orders/:orderId/accept',
    duty: 'offerings',
    errors: [requestErrors.not_found, orderErrors.order_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const order = found(await lockOrder(tx, key), 'Order not found.')
    if (order.acceptedAt) audit('nothing changed')
    else {
      if (order.status !== 'ORDERED' && order.status !== 'PAID')
        throw new ApiError(
          orderErrors.order_not_in_state,
          `An order that is ${order.status} can no longer be accepted.`,
        )
      const accepted = { ...order, acceptedAt: now }
      await tx.batch(
        (tx) => updateOrder(tx, order.status, accepted),
        (tx) => recordOrderEvent(tx, accepted, 'order.accepted', { previous_status: order.status }),
        (tx) => enqueueRecheck(tx, order),
      )
      audit({ action: 'order.accepted', subject: { type: 'order', id: order.id }, after: { accepted_at: now } })
    }
    return readOperatorOrder(tx, key)
  },
)
