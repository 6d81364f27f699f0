import type { OrderStatus } from '../../sales/orders/order-status.ts'
import type { RefundReason } from '../../sales/refunds/refund.sql.ts'

/** What becomes of money that arrives for an order. */
export interface Split {
  /** Counts towards the order. */
  readonly applied: bigint
  /** Is owed back, and why. */
  readonly owed: bigint
  readonly reason: RefundReason
  /** Whether the order is paid now. */
  readonly isPaid: boolean
}

/** All in the currency's smallest coins. Nothing is ever neither applied nor owed back. */
export function splitPayment(
  status: OrderStatus,
  { amount, total, paid, tolerance }: { amount: bigint; total: bigint; paid: bigint; tolerance: bigint },
): Split {
  if (status === 'CANCELLED') return { applied: 0n, owed: amount, reason: 'cancelled', isPaid: false }
  if (status === 'NOPAYMENT') return { applied: 0n, owed: amount, reason: 'late', isPaid: false }
  const missing = total > paid ? total - paid : 0n
  const applied = amount < missing ? amount : missing
  const isPaid = status === 'ORDERED' && paid + applied >= total - tolerance
  return { applied, owed: amount - applied, reason: 'overpaid', isPaid }
}
