import type { OrderStatus } from '../../sales/orders/order-status.ts'
import type { RefundReason } from '../../sales/refunds/refund.sql.ts'

/** Division of a payment between its order and a refund. All amounts are in minor units. */
export interface PaymentSplit {
  readonly applied: bigint
  readonly refunded: bigint
  readonly reason: RefundReason
  /** True if this payment makes the order PAID. */
  readonly isPaid: boolean
}

/** Splits a payment. applied + refunded is always the whole amount. */
export function splitPayment(
  status: OrderStatus,
  { amount, total, paid, tolerance }: { amount: bigint; total: bigint; paid: bigint; tolerance: bigint },
): PaymentSplit {
  if (status === 'CANCELLED') return { applied: 0n, refunded: amount, reason: 'cancelled', isPaid: false }
  if (status === 'NOPAYMENT') return { applied: 0n, refunded: amount, reason: 'late', isPaid: false }
  const missing = total > paid ? total - paid : 0n
  const applied = amount < missing ? amount : missing
  const isPaid = status === 'ORDERED' && paid + applied >= total - tolerance
  return { applied, refunded: amount - applied, reason: 'overpaid', isPaid }
}
