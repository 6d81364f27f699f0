import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Money } from '../../../platform/base/money.ts'
import { enqueueRecheck } from '../../../sales/blockers/recheck-orders.ts'
import { offeringErrors } from '../../../sales/offerings/offering.errors.ts'
import { OperatorOrder, OperatorOrderPath } from '../../../sales/orders/operator/operator-order.schema.ts'
import { readOperatorOrder } from '../../../sales/orders/operator/operator-order.view.ts'
import { orderDecision } from '../../../sales/orders/operator/order-decision.ts'
import { orderErrors } from '../../../sales/orders/order.errors.ts'
import { lockOrder } from '../../../sales/orders/order-transition.sql.ts'
import { transitionOrder } from '../../../sales/orders/transition-order.ts'
import { refundExcess, withdrawDueRefunds } from '../../../sales/orders/withdraw-refunds.ts'
import { paymentErrors } from '../payment.errors.ts'

export const acceptLatePayment = operatorOperation(
  {
    id: 'acceptLatePayment',
    summary: 'Accept a late payment',
    description:
      'For an order that was paid after its deadline. Its refunds that are not sent yet are withdrawn, its units are ' +
      'reserved again, and it becomes `PAID`. If the payments do not cover the total, extend the payment deadline ' +
      'instead.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/orders/:orderId/accept-late-payment',
    duty: 'money',
    approval: 'never',
    decides: orderDecision,
    idempotency: 'optional',
    params: OperatorOrderPath,
    success: { status: 200, body: OperatorOrder },
    errors: [
      requestErrors.not_found,
      orderErrors.order_not_in_state,
      paymentErrors.order_underpaid,
      offeringErrors.offering_not_open,
      offeringErrors.offering_sold_out,
    ],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const order = found(await lockOrder(tx, { tenantId, ...params }), 'Order not found.')
    if (order.status !== 'NOPAYMENT')
      throw new ApiError(
        orderErrors.order_not_in_state,
        `Only an order that is NOPAYMENT can have a late payment; this one is ${order.status}.`,
      )
    const { totalAmount, currency } = order
    const available = await withdrawDueRefunds(tx, order, now)
    if (totalAmount.minus(order.paymentTolerance).exceeds(available))
      throw new ApiError(
        paymentErrors.order_underpaid,
        `Only ${available.normalized()} of ${totalAmount} ${currency} were paid and not refunded.`,
      )
    const paidAmount = Money.smaller(available, totalAmount)
    const [paid] = await tx.batch(
      (tx) => transitionOrder(tx, order, 'PAID', { paidAmount, paidAt: now }),
      (tx) => refundExcess(tx, order, available.minus(paidAmount)),
      (tx) => enqueueRecheck(tx, order),
    )
    audit({
      action: 'order.late_payment_accepted',
      subject: { type: 'order', id: order.id },
      before: { status: order.status, paid_amount: order.paidAmount },
      after: { status: paid.status, paid_amount: paid.paidAmount },
    })
    return readOperatorOrder(tx, { tenantId, ...params })
  },
)
