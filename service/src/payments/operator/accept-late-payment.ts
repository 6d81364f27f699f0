import { announceGateChange } from '../../accounts/gate-change.ts'
import { fromMinorUnits } from '../../base/money.ts'
import { ApiError } from '../../http/errors.ts'
import { operatorOperation } from '../../http/operation.ts'
import { coins } from '../../orders/gates.ts'
import { moveOrder } from '../../orders/move-order.ts'
import { OperatorOrder, OperatorOrderPath } from '../../orders/operator-order.schema.ts'
import { readOperatorOrder } from '../../orders/operator-order.view.ts'
import { lockOrder } from '../../orders/order-life.sql.ts'
import { oweExcess, takeBackRefunds } from '../../orders/take-back-refunds.ts'

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
    errors: ['not_found', 'order_not_in_state', 'order_underpaid', 'offering_not_open', 'offering_sold_out'],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const order = await lockOrder(tx, { tenantId, ...params })
    if (!order) throw new ApiError('not_found', 'There is no such order.')
    if (order.status !== 'NOPAYMENT')
      throw new ApiError(
        'order_not_in_state',
        `Only an order that is NOPAYMENT has late money; this is ${order.status}.`,
      )
    const { currency } = order
    const total = coins(order.totalAmount, currency)
    const money = await takeBackRefunds(tx, order, now)
    if (money < total - coins(order.paymentTolerance, currency))
      throw new ApiError(
        'order_underpaid',
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
