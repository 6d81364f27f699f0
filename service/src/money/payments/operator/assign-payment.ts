import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { lockOrder } from '../../../sales/orders/order-transition.sql.ts'
import { lockUnassignedForDecision } from '../lock-unassigned-payment.ts'
import { paymentErrors } from '../payment.errors.ts'
import { receivePayment } from '../receive-payment.ts'
import { Assignment, UnassignedPayment, UnassignedPaymentPath } from '../unassigned-payment.schema.ts'
import { decideUnassignedPayment } from '../unassigned-payment.sql.ts'
import { viewUnassignedPayment } from '../unassigned-payment.view.ts'

export const assignPayment = operatorOperation(
  {
    id: 'assignPayment',
    summary: 'Assign a payment to an order',
    description:
      'Books an unassigned payment to an order, as if the payer had quoted its reference: the amount that the order ' +
      'needs is applied, and the rest is refunded. Assigning it to the same order again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/unassigned-payments/:paymentId/assign',
    duty: 'money',
    approval: 'never',
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
    const unassigned = await lockUnassignedForDecision(context, params.paymentId, { status: 'assigned', orderId })
    if (unassigned.status !== 'open') return viewUnassignedPayment(context, unassigned)
    const order = await lockOrder(tx, { tenantId, orderId })
    if (!order) throw new ApiError(requestErrors.not_found, 'Order not found.')
    const { payment, order: paid } = await receivePayment(tx, order, {
      provider: unassigned.provider,
      providerReference: unassigned.providerReference,
      amount: unassigned.amount,
      currency: unassigned.currency,
      receivedAt: unassigned.receivedAt,
    })
    const assigned = await decideUnassignedPayment(tx, { tenantId, ...params }, { status: 'assigned', orderId })
    audit({
      action: 'unassigned_payment.assigned',
      subject: { type: 'unassigned_payment', id: unassigned.id },
      before: { status: unassigned.status },
      after: { status: assigned.status, order_id: orderId, payment_id: payment.id, amount: payment.amount },
    })
    audit({
      action: 'payment.recorded',
      subject: { type: 'order', id: orderId },
      before: { status: order.status, paid_amount: order.paidAmount },
      after: { status: paid.status, paid_amount: paid.paidAmount, payment_id: payment.id, amount: payment.amount },
    })
    return viewUnassignedPayment(context, assigned)
  },
)
