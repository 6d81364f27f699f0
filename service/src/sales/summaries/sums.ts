import { minorUnitsOf } from '../../platform/base/money.ts'
import type { EventSums, SumsOfOffering } from '../../records/events/event.sql.ts'
import type { OrderStatus } from '../orders/order-status.ts'
import type { RefundStatus } from '../refunds/refund-status.ts'
import { summedOffering } from './summed-offering.sql.ts'

/**
 * What the sums of an offering count. Orders and refunds are counted by status: an event moves them from one status to
 * another, so the sum of all days is how many are in a status now, and the sum over all statuses of one day is how many
 * are new. Money is in minor units of the offering's currency.
 */
export type Measure =
  | `${'orders' | 'units' | 'amount'} ${OrderStatus}`
  | `${'refunds' | 'refund amount'} ${RefundStatus}`
  | 'received'
  | 'reversed'

type Amounts = Partial<Record<Measure, bigint>>

interface SummedOrder {
  readonly offeringId: string
  readonly units: string
  readonly totalAmount: string
  readonly currency: string
}

/** Of an event that moves an order to another status; `from` is null for a new order. */
export function orderSums(order: SummedOrder, from: OrderStatus | null, to: OrderStatus): SumsOfOffering {
  const { offeringId, units, totalAmount, currency } = order
  const counted = (status: OrderStatus, sign: 1n | -1n): Amounts => ({
    [`orders ${status}`]: sign,
    [`units ${status}`]: sign * BigInt(units),
    [`amount ${status}`]: sign * minorUnitsOf(totalAmount, currency),
  })
  return { offeringId, amounts: { ...(from && counted(from, -1n)), ...counted(to, 1n) } }
}

/** Of an event that moves a refund to another status; `from` is null for a new refund. */
export function refundSums(
  { tenantId, orderId, amount, currency }: { tenantId: string; orderId: string; amount: string; currency: string },
  from: RefundStatus | null,
  to: RefundStatus,
): EventSums {
  const counted = (status: RefundStatus, sign: 1n | -1n): Amounts => ({
    [`refunds ${status}`]: sign,
    [`refund amount ${status}`]: sign * minorUnitsOf(amount, currency),
  })
  const offeringId = summedOffering(tenantId, orderId)
  return { offeringId, amounts: { ...(from && counted(from, -1n)), ...counted(to, 1n) } }
}

/** Of an event about a payment. */
export function paymentSums(
  offeringId: string,
  measure: 'received' | 'reversed',
  { amount, currency }: { amount: string; currency: string },
): EventSums {
  return { offeringId, amounts: { [measure]: minorUnitsOf(amount, currency) } }
}
