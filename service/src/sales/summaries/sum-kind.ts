import type { Money } from '../../platform/base/money.ts'
import type { EventSums } from '../../records/events/event.sql.ts'
import type { OrderSumKind } from '../orders/order-sums.ts'
import type { RefundSumKind } from '../refunds/refund-sums.ts'

/**
 * Measures of an offering's sums. Orders and refunds are counted by status: an event moves them from one status to
 * another, so the sum of all days is the number in a status now, and the sum over all statuses of one day is the number
 * of new ones. Money is in minor units of the offering's currency.
 */
export type SumKind = OrderSumKind | RefundSumKind | 'received' | 'reversed'

/** Returns the change of sums by a payment. */
export function paymentSums(
  offeringId: string,
  kind: 'received' | 'reversed',
  { amount }: { amount: Money },
): EventSums {
  return { offeringId, amounts: { [kind]: amount.minor } }
}
