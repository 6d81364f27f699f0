import { ApiError } from '../../platform/api/errors/errors.ts'
import { fromMinorUnits, minorUnitsOf, toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import { sumUnsentRefunds } from '../../sales/refunds/refund.sql.ts'
import { paymentErrors } from './payment.errors.ts'

/** The largest tolerance, in units of the currency: rounding and bank fees, never a second payment. */
const toleranceMax = '10'

/**
 * Rejects a payment by hand that exceeds what the order needs by more than the tolerance, since nothing but the word of
 * an operator proves it and what exceeds the total becomes a refund. Refunds that are not sent count as paid: otherwise
 * payments that are late or for a cancelled order could be recorded again and again. The caller has locked the order.
 */
export async function requireNeededAmount(
  tx: Transaction,
  order: OrderWithOffering,
  { amount, currency }: { amount: string; currency: string },
): Promise<void> {
  const minorUnits = toMinorUnits(amount, currency)
  // receivePayment rejects both.
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
