import { Money } from '../../platform/base/money.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import type { RefundReason } from '../../sales/refunds/refund.sql.ts'

/** Division of a payment between its order and a refund. */
export interface PaymentSplit {
  readonly applied: Money
  readonly refunded: Money
  readonly reason: RefundReason
  /** True if this payment makes the order PAID. */
  readonly isPaid: boolean
}

/** Splits a payment. applied + refunded is always the whole amount. */
export function splitPayment(
  { status, totalAmount, paidAmount, paymentTolerance }: OrderWithOffering,
  amount: Money,
): PaymentSplit {
  const nothing = Money.zero(amount.currency)
  if (status === 'CANCELLED') return { applied: nothing, refunded: amount, reason: 'cancelled', isPaid: false }
  if (status === 'NOPAYMENT') return { applied: nothing, refunded: amount, reason: 'late', isPaid: false }
  const missing = totalAmount.exceeds(paidAmount) ? totalAmount.minus(paidAmount) : nothing
  const applied = Money.smaller(amount, missing)
  const isPaid = status === 'ORDERED' && !totalAmount.minus(paymentTolerance).exceeds(paidAmount.plus(applied))
  return { applied, refunded: amount.minus(applied), reason: 'overpaid', isPaid }
}
