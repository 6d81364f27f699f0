import { ApiError } from '../../platform/api/errors/errors.ts'
import { fromMinorUnits, minorUnitsOf, toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import { sumUnsentRefunds } from '../../sales/refunds/refund.sql.ts'
import { paymentErrors } from './payment.errors.ts'

/** The largest tolerance, in units of the currency: rounding and bank fees, never a second payment. */
const toleranceMax = '10'

/**
 * Rejects a payment by hand that exceeds the outstanding amount by more than the tolerance: only an operator's word
 * proves it, and the excess becomes a refund. Unsent refunds count as paid: otherwise payments that are late or for a
 * cancelled order could be recorded again and again. The caller has locked the order.
 */
export async function requireNeededAmount(
  tx: Transaction,
  order: OrderWithOffering,
  { amount, currency }: { amount: string; currency: string },
): Promise<void> {
  const minorUnits = toMinorUnits(amount, currency)
  // receivePayment rejects both cases.
  if (minorUnits === undefined || currency !== order.currency) return
  const total = minorUnitsOf(order.totalAmount, currency)
  const received =
    minorUnitsOf(order.paidAmount, currency) +
    minorUnitsOf(await sumUnsentRefunds(tx, order.tenantId, order.id), currency)
  const tolerance = smaller(total / 100n, minorUnitsOf(toleranceMax, currency))
  const most = total + tolerance - received
  if (minorUnits <= most) return
  const text = (value: bigint) => `${fromMinorUnits(value > 0n ? value : 0n, currency)} ${currency}`
  throw new ApiError(
    paymentErrors.payment_exceeds_order,
    `The order needs ${text(total - received)}, so a payment by hand can be at most ${text(most)}: the tolerance is ` +
      `${text(tolerance)}. The payment was not recorded.`,
  )
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
