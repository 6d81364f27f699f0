import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OperatorOrderPath } from '../../../sales/orders/operator/operator-order.schema.ts'
import { lockOrder } from '../../../sales/orders/order-transition.sql.ts'
import { paymentErrors } from '../payment.errors.ts'
import { NewPayment, Payment } from '../payment.schema.ts'
import { viewPayment } from '../payment.view.ts'
import { receivePayment } from '../receive-payment.ts'

export const recordPayment = operatorOperation(
  {
    id: 'recordPayment',
    summary: 'Record a payment',
    description:
      'Records a payment received for an order. The amount that the order needs is applied. What is overpaid, late ' +
      'or for a cancelled order is refunded. Recording the same `reference` again changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/orders/:orderId/payments',
    role: 'operator',
    idempotency: 'optional',
    params: OperatorOrderPath,
    body: NewPayment,
    success: { status: 201, body: Payment },
    errors: [requestErrors.not_found, paymentErrors.payment_currency_mismatch, paymentErrors.payment_conflict],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const order = await lockOrder(tx, { tenantId, ...params })
    if (!order) throw new ApiError(requestErrors.not_found, 'Order not found.')
    const {
      payment,
      order: paid,
      isNew,
    } = await receivePayment(tx, order, {
      provider: 'manual',
      providerReference: body.reference,
      amount: body.amount,
      currency: body.currency,
      receivedAt: new Date(body.received_at),
    })
    if (isNew)
      audit({
        action: 'payment.recorded',
        subject: { type: 'order', id: order.id },
        before: { status: order.status, paid_amount: order.paidAmount },
        after: { status: paid.status, paid_amount: paid.paidAmount, payment_id: payment.id, amount: payment.amount },
      })
    else audit('nothing changed')
    return viewPayment(payment)
  },
)
