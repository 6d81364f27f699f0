import { ApiError } from '../../platform/api/errors/errors.ts'
import { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import { paymentErrors } from './payment.errors.ts'
import { sumUnsentRefunds } from './refund-coverage.sql.ts'

/** The largest tolerance, in units of the currency: rounding and bank fees, never a second payment. */
const toleranceMax = 10n

/**
 * Rejects a payment by hand that exceeds the outstanding amount by more than the tolerance: only an operator's word
 * proves it, and the excess becomes a refund. Unsent refunds count as paid: otherwise payments that are late or for a
 * cancelled order could be recorded again and again. The caller has locked the order.
 */
export async function requireNeededAmount(tx: Transaction, order: OrderWithOffering, amount: Money): Promise<void> {
  const { currency, totalAmount: total } = order
  // receivePayment rejects both cases.
  if (!amount.isWhole || amount.currency !== currency) return
  const received = order.paidAmount.plus(await sumUnsentRefunds(tx, order))
  const hundredth = Money.ofMinor(total.minor / 100n, currency)
  const tolerance = Money.smaller(hundredth, Money.ofParts(toleranceMax, 0, currency))
  const needed = total.minus(received)
  const most = needed.plus(tolerance)
  if (!amount.exceeds(most)) return
  const text = (value: Money) => `${value.isPositive ? value : Money.zero(currency).normalized()} ${currency}`
  throw new ApiError(
    paymentErrors.payment_exceeds_order,
    `The order needs ${text(needed)}, so a payment by hand can be at most ${text(most)}: the tolerance is ` +
      `${text(tolerance)}. The payment was not recorded.`,
  )
}
