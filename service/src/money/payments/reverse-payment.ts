import { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { findSaleTerms } from '../../sales/orders/order.sql.ts'
import { canBecome } from '../../sales/orders/order-status.ts'
import { type OrderWithOffering, updateOrder } from '../../sales/orders/order-transition.sql.ts'
import { recordOrderEvent, transitionOrder } from '../../sales/orders/transition-order.ts'
import { insertRefund, lockWithdrawableRefunds, moveRefund, type RefundRow } from '../../sales/refunds/refund.sql.ts'
import { paymentSums } from '../../sales/summaries/sum-kind.ts'
import { type PaymentRow, setPaymentReversed } from './payment.sql.ts'
import { viewPaymentInEvent } from './payment.view.ts'

const dayMs = 86_400_000

/**
 * Takes a payment back from an order, because the bank has or an operator wants to: first from its due refunds whose
 * money is still here, then from the order itself. The caller has locked the order. An order that is no longer covered
 * waits for payment again. If the tokens are being minted, or the money is already on its way back to the investor,
 * nothing changes and `problem` completes a sentence for an operator.
 */
export async function reversePayment(
  tx: Transaction,
  order: OrderWithOffering,
  payment: PaymentRow,
  now: Date,
): Promise<{ problem?: string }> {
  const { tenantId, paidAmount } = order
  const due = await lockWithdrawableRefunds(tx, tenantId, order.id)
  const dueAmount = due.reduce((sum, { amount }) => sum.plus(amount), Money.zero(order.currency))
  const fromRefunds = Money.smaller(payment.amount, dueAmount)
  const fromOrder = payment.amount.minus(fromRefunds)
  if (fromOrder.isPositive && (order.status === 'MINTING' || order.status === 'MINTED'))
    return { problem: `the order is ${order.status}` }
  if (fromOrder.exceeds(paidAmount)) return { problem: 'its money is already refunded' }
  const isReversed = await setPaymentReversed(tx, { tenantId, paymentId: payment.id, now })
  if (!isReversed) throw new Error('a payment changed although its order was locked')
  await tx.batch(
    (tx) => recordPaymentReversed(tx, order, payment),
    (tx) => withdrawRefunds(tx, { tenantId, due, paymentId: payment.id, amount: fromRefunds, now }),
    (tx) => fromOrder.isPositive && takeFromOrder(tx, order, paidAmount.minus(fromOrder), now),
  )
  return {}
}

/** Reduces the amount paid. An order no longer covered gets a new payment term: its deadline has often passed. */
async function takeFromOrder(tx: Transaction, order: OrderWithOffering, paidAmount: Money, now: Date): Promise<void> {
  const isCovered = !order.totalAmount.minus(order.paymentTolerance).exceeds(paidAmount)
  if (isCovered || !canBecome(order.status, 'ORDERED')) {
    const reduced = { ...order, paidAmount }
    const [isUpdated] = await tx.batch(
      (tx) => updateOrder(tx, order.status, reduced),
      (tx) => recordOrderEvent(tx, reduced, 'order.payment_reversed', { previous_status: order.status }),
    )
    if (!isUpdated) throw new Error('an order changed although its row was locked')
    return
  }
  const terms = await findSaleTerms(tx, order)
  if (!terms) throw new Error('the offering of an order does not exist')
  const newDeadline = new Date(now.getTime() + terms.paymentTermDays * dayMs)
  const paymentDueAt = newDeadline > order.paymentDueAt ? newDeadline : order.paymentDueAt
  await transitionOrder(tx, order, 'ORDERED', { paidAmount, paymentDueAt })
}

interface Withdrawal {
  tenantId: string
  due: readonly RefundRow[]
  paymentId: string
  amount: Money
  now: Date
}

/** Withdraws due refunds of this amount. The rest of the last one becomes a new refund. */
async function withdrawRefunds(tx: Transaction, { tenantId, due, paymentId, amount, now }: Withdrawal): Promise<void> {
  // Refunds of the payment itself come first, then one of exactly this amount.
  const rank = (refund: RefundRow) => (refund.paymentId === paymentId ? 2 : Number(refund.amount.equals(amount)))
  const sorted = due.toSorted((one, other) => rank(other) - rank(one))
  let missing = amount
  for (const refund of sorted) {
    if (!missing.isPositive) return
    await moveRefund(tx, tenantId, refund, { to: 'withdrawn', now })
    missing = missing.minus(refund.amount)
    const rest = missing.negated()
    if (rest.isPositive) {
      const { orderId, reason, paymentId: refundedId } = refund
      if (orderId === null) throw new Error('a refund of an order has no order')
      await insertRefund(tx, tenantId, { orderId, paymentId: refundedId, reason, amount: rest })
    }
  }
}

function recordPaymentReversed(tx: Transaction, order: OrderWithOffering, payment: PaymentRow): Promise<void> {
  return recordEvent(tx, order.tenantId, {
    type: 'payment.reversed',
    data: viewPaymentInEvent(payment),
    sums: paymentSums(order.offeringId, 'reversed', payment),
  })
}
