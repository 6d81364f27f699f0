import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { reserveOrder, reserveOrderErrors } from '../reserve-order.ts'
import { NewOperatorOrder, OperatorOrder } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'

export const createOrderForOperator = operatorOperation(
  {
    id: 'createOrder',
    summary: 'Order units for an investor',
    description:
      'For an investor who orders by letter or telephone. The rules and errors are those of the integrators, who ' +
      'receive the same event. The order moves no value: it has to be paid like any other. Without an idempotency ' +
      'key, sending the request again creates a second order.',
    tag: 'Orders',
    method: 'POST',
    path: '/offerings/:offeringId/orders',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    idempotency: 'optional',
    params: OfferingPath,
    body: NewOperatorOrder,
    success: { status: 201, body: OperatorOrder, location: ({ id }: { id: string }) => `/orders/${id}` },
    errors: reserveOrderErrors,
  },
  async ({ params, body: { reason, ...order } }, { tenantId, tx, now, audit }) => {
    const { id: orderId, units } = await reserveOrder(tx, { tenantId, ...params }, order, now)
    audit({
      action: 'order.created',
      subject: { type: 'order', id: orderId },
      after: { offering_id: params.offeringId, account_id: order.account_id.toLowerCase(), units, reason },
    })
    return readOperatorOrder(tx, { tenantId, orderId })
  },
)
