import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Money } from '../../../platform/base/money.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { enqueueRecheck } from '../../blockers/recheck-orders.ts'
import { offeringErrors } from '../../offerings/offering.errors.ts'
import { orderErrors } from '../order.errors.ts'
import { lockOrder, type OrderWithOffering, updateOrder } from '../order-transition.sql.ts'
import { recordOrderEvent, transitionOrder } from '../transition-order.ts'
import { refundExcess, withdrawDueRefunds } from '../withdraw-refunds.ts'
import { PaymentDeadline } from './operator-order.schema.ts'
import { readOperatorOrder } from './operator-order.view.ts'
import { orderChange } from './order-decision.ts'

export const extendPaymentDeadline = operatorOperation(
  {
    ...orderChange,
    id: 'extendPaymentDeadline',
    summary: 'Extend the payment deadline of an order',
    description:
      'Sets the payment deadline of an order that is not paid yet. If the order is already `NOPAYMENT`, its units ' +
      'are reserved again if they are still available, and payments that are not refunded yet count again.',
    path: '/orders/:orderId/extend',
    duty: 'offerings',
    body: PaymentDeadline,
    errors: [
      requestErrors.not_found,
      orderErrors.order_not_in_state,
      offeringErrors.offering_not_open,
      offeringErrors.offering_sold_out,
    ],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const paymentDueAt = new Date(body.payment_due_at)
    if (paymentDueAt <= now)
      throw validationFailed([
        { detail: 'The member payment_due_at must be in the future.', pointer: '/payment_due_at' },
      ])
    const order = found(await lockOrder(tx, key), 'Order not found.')
    const extended = await extend(tx, order, paymentDueAt, now)
    audit({
      action: 'order.extended',
      subject: { type: 'order', id: order.id },
      before: { status: order.status, payment_due_at: order.paymentDueAt },
      after: { status: extended.status, payment_due_at: paymentDueAt },
    })
    return readOperatorOrder(tx, key)
  },
)

async function extend(
  tx: Transaction,
  order: OrderWithOffering,
  paymentDueAt: Date,
  now: Date,
): Promise<OrderWithOffering> {
  if (order.status === 'ORDERED') {
    const extended = { ...order, paymentDueAt }
    await tx.batch(
      (tx) => updateOrder(tx, 'ORDERED', extended),
      (tx) => recordOrderEvent(tx, extended, 'order.extended', { previous_status: 'ORDERED' }),
    )
    return extended
  }
  if (order.status !== 'NOPAYMENT')
    throw new ApiError(
      orderErrors.order_not_in_state,
      `Only an order that is ORDERED or NOPAYMENT can be extended; this one is ${order.status}.`,
    )
  const { totalAmount, paymentTolerance } = order
  const available = await withdrawDueRefunds(tx, order, now)
  const paidAmount = Money.smaller(available, totalAmount)
  const reopened = await transitionOrder(tx, order, 'ORDERED', { paymentDueAt, paidAmount })
  if (totalAmount.minus(paymentTolerance).exceeds(available)) return reopened
  // The late payments already cover the total, so the order is paid.
  const [paid] = await tx.batch(
    (tx) => transitionOrder(tx, reopened, 'PAID', { paidAt: now }),
    (tx) => refundExcess(tx, order, available.minus(totalAmount)),
    (tx) => enqueueRecheck(tx, order),
  )
  return paid
}
