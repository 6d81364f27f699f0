import { findPaymentByReference } from '../../src/money/payments/payment.sql.ts'
import { reversePayment } from '../../src/money/payments/reverse-payment.ts'
import { lockOrder } from '../../src/sales/orders/order-transition.sql.ts'
import { addRefund, dueAmount, dueRefunds, type ModelOrder, onOrder, totalOf } from './order-model.ts'

/** The bank takes the last payment back: from refunds that are due, one of exactly this amount first, then the order. */
export const reverseLast = onOrder(
  'reverseLast',
  (order) => {
    const { lastPayment } = order
    if (!lastPayment || lastPayment.isReversed) return undefined
    const { amount } = lastPayment
    const fromRefunds = amount < dueAmount(order) ? amount : dueAmount(order)
    const fromOrder = amount - fromRefunds
    if (fromOrder > order.paid) return undefined
    if (fromOrder > 0n && (order.status === 'MINTING' || order.status === 'MINTED')) return undefined
    order.received -= amount
    order.paid -= fromOrder
    order.lastPayment = { ...lastPayment, isReversed: true }
    takeFromRefunds(order, fromRefunds)
    if (fromOrder > 0n && order.paid < totalOf(order)) order.status = 'ORDERED'
    return undefined
  },
  ({ id, lastPayment }, real) =>
    real.direct.write(async (tx) => {
      const { tenantId } = real.direct
      const order = await lockOrder(tx, { tenantId, orderId: id })
      const providerReference = lastPayment?.reference ?? ''
      const payment = await findPaymentByReference(tx, { tenantId, provider: 'manual', providerReference })
      if (order && payment?.reversedAt === null) await reversePayment(tx, order, payment, new Date())
    }),
)

function takeFromRefunds(order: ModelOrder, amount: bigint): void {
  const due = dueRefunds(order)
  let missing = amount
  for (const refund of [...due.filter((one) => one.amount === amount), ...due.filter((one) => one.amount !== amount)]) {
    if (missing <= 0n) return
    refund.status = 'withdrawn'
    missing -= refund.amount
    addRefund(order, refund.reason, -missing)
  }
}
