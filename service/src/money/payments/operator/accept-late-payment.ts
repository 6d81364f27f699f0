import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { fromMinorUnits } from '../../../platform/base/money.ts'
import { announceGateChange } from '../../../sales/accounts/recheck-mint-preconditions.ts'
import { offeringErrors } from '../../../sales/offerings/offering.errors.ts'
import { coins } from '../../../sales/orders/mint-preconditions.ts'
import { moveOrder } from '../../../sales/orders/move-order.ts'
import { OperatorOrder, OperatorOrderPath } from '../../../sales/orders/operator/operator-order.schema.ts'
import { readOperatorOrder } from '../../../sales/orders/operator/operator-order.view.ts'
import { orderErrors } from '../../../sales/orders/order.errors.ts'
import { lockOrder } from '../../../sales/orders/order-life.sql.ts'
import { oweExcess, takeBackRefunds } from '../../../sales/orders/take-back-refunds.ts'
import { paymentErrors } from '../payment.errors.ts'

export const acceptLatePayment = operatorOperation(
  {
    id: 'acceptLatePayment',
    summary: 'Accept money that came late',
    description:
      'For an order that was not paid in time and whose money has arrived since. Refunds of it that nobody has sent ' +
      'yet are withdrawn, its units are reserved again and it is paid. Where the money does not reach the total, ' +
      'give the order more time instead.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/orders/:orderId/accept-late-payment',
    role: 'operator',
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
    const order = await lockOrder(tx, { tenantId, ...params })
    if (!order) throw new ApiError(requestErrors.not_found, 'There is no such order.')
    if (order.status !== 'NOPAYMENT')
      throw new ApiError(
        orderErrors.order_not_in_state,
        `Only an order that is NOPAYMENT has late money; this is ${order.status}.`,
      )
    const { currency } = order
    const total = coins(order.totalAmount, currency)
    const money = await takeBackRefunds(tx, order, now)
    if (money < total - coins(order.paymentTolerance, currency))
      throw new ApiError(
        paymentErrors.order_underpaid,
        `${fromMinorUnits(money, currency)} of ${order.totalAmount} ${currency} are here and not sent back yet.`,
      )
    const applied = money < total ? money : total
    const change = { paidAmount: fromMinorUnits(applied, currency), paidAt: now }
    const [paid] = await Promise.all([
      moveOrder(tx, order, 'PAID', change),
      oweExcess(tx, order, money - applied),
      announceGateChange(tx, order),
    ])
    audit({
      action: 'order.late_payment_accepted',
      subject: { type: 'order', id: order.id },
      before: { status: order.status, paid_amount: order.paidAmount },
      after: { status: paid.status, paid_amount: paid.paidAmount },
    })
    return readOperatorOrder(tx, { tenantId, ...params })
  },
)
