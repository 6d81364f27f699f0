import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { lockOrder } from '../../../sales/orders/order-life.sql.ts'
import { paymentErrors } from '../payment.errors.ts'
import { receivePayment } from '../receive-payment.ts'
import { lockOpenUnassigned, oneUnassigned } from '../unassigned-money.ts'
import { Assignment, UnassignedPayment, UnassignedPaymentPath } from '../unassigned-payment.schema.ts'
import { decideUnassigned } from '../unassigned-payment.sql.ts'

export const assignPayment = operatorOperation(
  {
    id: 'assignPayment',
    summary: 'Give money to an order',
    description:
      'Books money that fits no order as a payment of this one, as if its payer had named it: what the order needs ' +
      'is applied, the rest is owed back. Assigning it to the same order again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/assign',
    role: 'operator',
    idempotency: 'optional',
    params: UnassignedPaymentPath,
    body: Assignment,
    success: { status: 200, body: UnassignedPayment },
    errors: [
      requestErrors.not_found,
      paymentErrors.unassigned_payment_not_open,
      paymentErrors.payment_currency_mismatch,
      paymentErrors.payment_conflict,
    ],
  },
  async ({ params, body }, context) => {
    const { tenantId, tx, audit } = context
    const orderId = body.order_id.toLowerCase()
    const money = await lockOpenUnassigned(context, params.paymentId, { status: 'assigned', orderId })
    if (money.status !== 'open') return oneUnassigned(context, money)
    const order = await lockOrder(tx, { tenantId, orderId })
    if (!order) throw new ApiError(requestErrors.not_found, 'There is no such order.')
    const { payment, order: paid } = await receivePayment(tx, order, {
      provider: money.provider,
      reference: money.provider_reference,
      amount: money.amount,
      currency: money.currency,
      receivedAt: money.received_at,
    })
    const assigned = await decideUnassigned(tx, { tenantId, ...params }, { status: 'assigned', orderId })
    audit({
      action: 'unassigned_payment.assigned',
      subject: { type: 'unassigned_payment', id: money.id },
      before: { status: money.status },
      after: { status: assigned.status, order_id: orderId, payment_id: payment.id, amount: payment.amount },
    })
    audit({
      action: 'payment.recorded',
      subject: { type: 'order', id: orderId },
      before: { status: order.status, paid_amount: order.paidAmount },
      after: { status: paid.status, paid_amount: paid.paidAmount, payment_id: payment.id, amount: payment.amount },
    })
    return oneUnassigned(context, assigned)
  },
)
