import { fromMinorUnits, minorUnitsOf } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { moveOrder, recordOrderEvent } from '../../sales/orders/move-order.ts'
import { findSaleTerms } from '../../sales/orders/order.sql.ts'
import { canBecome } from '../../sales/orders/order-status.ts'
import { type OrderWithOffering, updateOrder } from '../../sales/orders/order-transition.sql.ts'
import { insertRefund, lockDueRefunds, moveRefund, type RefundRow } from '../../sales/refunds/refund.sql.ts'
import { type PaymentRow, setPaymentReversed } from './payment.sql.ts'

const dayMs = 86_400_000

/**
 * Takes a payment back that the bank has reversed, from an order whose row the caller has locked: first from refunds of
 * the order that are not sent yet, then from the order itself. An order that is no longer covered waits for payment
 * again. If the tokens are being minted, or the money is already on its way back to the investor, nothing changes and
 * `problem` explains it to an operator.
 */
export async function reversePayment(
  tx: Transaction,
  order: OrderWithOffering,
  payment: PaymentRow,
  now: Date,
): Promise<{ problem?: string }> {
  const { tenantId, currency } = order
  const amount = minorUnitsOf(payment.amount, currency)
  const due = await lockDueRefunds(tx, tenantId, order.id)
  const dueAmount = sumOf(due)
  const fromRefunds = amount < dueAmount ? amount : dueAmount
  const fromOrder = amount - fromRefunds
  const paid = minorUnitsOf(order.paidAmount, currency)
  if (fromOrder > 0n && (order.status === 'MINTING' || order.status === 'MINTED'))
    return { problem: `The bank reversed payment ${payment.id}, but the order is ${order.status}.` }
  if (fromOrder > paid) return { problem: `The bank reversed payment ${payment.id}, which is already refunded.` }
  const isReversed = await setPaymentReversed(tx, { tenantId, paymentId: payment.id, now })
  if (!isReversed) throw new Error('a payment changed although its order was locked')
  await Promise.all([
    recordPaymentReversed(tx, order, payment),
    withdrawRefunds(tx, { tenantId, due, amount: fromRefunds, now }),
    fromOrder > 0n && takeFromOrder(tx, order, paid - fromOrder, now),
  ])
  return {}
}

/** Reduces the amount paid. An order that is paid no longer gets a new payment term: its deadline has often passed. */
async function takeFromOrder(tx: Transaction, order: OrderWithOffering, paid: bigint, now: Date): Promise<void> {
  const { currency } = order
  const paidAmount = fromMinorUnits(paid, currency)
  const isCovered = paid >= minorUnitsOf(order.totalAmount, currency) - minorUnitsOf(order.paymentTolerance, currency)
  if (isCovered || !canBecome(order.status, 'ORDERED')) {
    const reduced = { ...order, paidAmount }
    const [isUpdated] = await Promise.all([
      updateOrder(tx, order.status, reduced),
      recordOrderEvent(tx, reduced, 'order.payment_reversed', { previous_status: order.status }),
    ])
    if (!isUpdated) throw new Error('an order changed although its row was locked')
    return
  }
  const terms = await findSaleTerms(tx, order)
  if (!terms) throw new Error('the offering of an order does not exist')
  const newDeadline = new Date(now.getTime() + terms.paymentTermDays * dayMs)
  const paymentDueAt = newDeadline > order.paymentDueAt ? newDeadline : order.paymentDueAt
  await moveOrder(tx, order, 'ORDERED', { paidAmount, paymentDueAt })
}

/** Withdraws due refunds of this amount. What is left of the last one becomes a new refund. */
async function withdrawRefunds(
  tx: Transaction,
  { tenantId, due, amount, now }: { tenantId: string; due: readonly RefundRow[]; amount: bigint; now: Date },
): Promise<void> {
  // A refund of exactly this amount is the one of this payment.
  const sorted = due.toSorted((one, other) => Number(sumOf([other]) === amount) - Number(sumOf([one]) === amount))
  let missing = amount
  for (const refund of sorted) {
    if (missing <= 0n) return
    await moveRefund(tx, tenantId, refund, { to: 'withdrawn', now })
    missing -= sumOf([refund])
    if (missing < 0n) {
      const { orderId, reason, currency } = refund
      await insertRefund(tx, tenantId, { orderId, reason, amount: fromMinorUnits(-missing, currency), currency })
    }
  }
}

function sumOf(refunds: readonly RefundRow[]): bigint {
  return refunds.reduce((sum, { amount, currency }) => sum + minorUnitsOf(amount, currency), 0n)
}

function recordPaymentReversed(tx: Transaction, order: OrderWithOffering, payment: PaymentRow): Promise<void> {
  return recordEvent(tx, order.tenantId, {
    type: 'payment.reversed',
    data: {
      payment_id: payment.id,
      order_id: order.id,
      provider: payment.provider,
      amount: Number(payment.amount),
      currency: payment.currency,
    },
  })
}
