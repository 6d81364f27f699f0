import { reverseBookedPayment } from '../../../src/money/payments/operator/reverse-booked-payment.ts'
import { findPaymentByReference, type PaymentRow } from '../../../src/money/payments/payment.sql.ts'
import { reversePayment } from '../../../src/money/payments/reverse-payment.ts'
import { lockOrder } from '../../../src/sales/orders/order-transition.sql.ts'
import {
  addRefund,
  dueAmount,
  dueRefunds,
  type Model,
  type ModelOrder,
  onOrder,
  type Real,
  totalOf,
} from './order-model.ts'

/** Lets the bank take the last payment back. */
export const reverseLast = onOrder(
  'reverseLast',
  (order, model) => {
    const { lastPayment } = order
    if (takeBack(order)) model.moneyIn -= lastPayment?.amount ?? 0n
    return undefined
  },
  ({ id, lastPayment }, real) =>
    real.direct.write(async (tx) => {
      const order = await lockOrder(tx, { tenantId: real.direct.tenantId, orderId: id })
      const payment = await findLast(real, lastPayment?.reference)
      if (order && payment?.reversedAt === null) await reversePayment(tx, order, payment, new Date())
    }),
)

/** Lets an operator detach the last payment from the order: its money is unassigned again. */
export const reverseBooked = onOrder(
  'reverseBooked',
  (order, model) => {
    const { lastPayment } = order
    if (!lastPayment) return undefined
    if (!takeBack(order)) return 'payment_not_reversible'
    unassign(model, order)
    return undefined
  },
  async ({ lastPayment }, real) => {
    const payment = await findLast(real, lastPayment?.reference)
    if (!payment) return
    const reversed = await real.direct.run(reverseBookedPayment, {
      params: { paymentId: payment.id },
      body: { reason: 'wrong order' },
    })
    const made = real.unassigned?.find(({ id }) => id === '')
    if (made) made.id = reversed.unassigned_payment_id
  },
)

function unassign(model: Model, order: ModelOrder): void {
  const { lastPayment } = order
  if (!lastPayment) return
  const { amount, reference, source } = lastPayment
  if (source) {
    source.rest += amount
    source.status = 'open'
    return
  }
  // The id is known once the service has created it.
  const made = { id: '', reference, amount, rest: amount, hasPayer: false, status: 'open' as const, paymentCount: 1 }
  model.unassigned.push(made)
  order.lastPayment = { reference, amount, isReversed: true, source: made }
}

function findLast({ direct }: Real, reference: string | undefined): Promise<PaymentRow | undefined> {
  const { tenantId } = direct
  return direct.write((tx) =>
    findPaymentByReference(tx, { tenantId, provider: 'bank_transfer', providerReference: reference ?? '' }),
  )
}

/**
 * Takes the last payment back: from due refunds, its own first, then one of exactly this amount, then from the order.
 * Returns false if that is not possible.
 */
function takeBack(order: ModelOrder): boolean {
  const { lastPayment } = order
  if (!lastPayment || lastPayment.isReversed) return false
  const { amount } = lastPayment
  const fromRefunds = amount < dueAmount(order) ? amount : dueAmount(order)
  const fromOrder = amount - fromRefunds
  if (fromOrder > order.paid) return false
  if (fromOrder > 0n && (order.status === 'MINTING' || order.status === 'MINTED')) return false
  order.received -= amount
  order.paid -= fromOrder
  order.lastPayment = { ...lastPayment, isReversed: true }
  takeFromRefunds(order, fromRefunds, lastPayment.reference)
  if (fromOrder > 0n && order.paid < totalOf(order)) order.status = 'ORDERED'
  return true
}

function takeFromRefunds(order: ModelOrder, amount: bigint, payment: string): void {
  const due = dueRefunds(order)
  const own = due.filter((one) => one.payment === payment)
  const others = due.filter((one) => one.payment !== payment)
  const exact = others.filter((one) => one.amount === amount)
  let missing = amount
  for (const refund of [...own, ...exact, ...others.filter((one) => one.amount !== amount)]) {
    if (missing <= 0n) return
    refund.status = 'withdrawn'
    missing -= refund.amount
    addRefund(order, refund.reason, -missing, refund.payment)
  }
}
