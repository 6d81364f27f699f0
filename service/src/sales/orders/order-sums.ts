import type { Money } from '../../platform/base/money.ts'
import type { SumsOfOffering } from '../../records/events/event.sql.ts'
import type { OrderStatus } from './order-status.ts'

/** Sums of an offering that count its orders by status. */
export type OrderSumKind = `${'orders' | 'units' | 'amount'} ${OrderStatus}`

interface SummedOrder {
  readonly offeringId: string
  readonly units: string
  readonly totalAmount: Money
}

/** Returns the change of sums by an order that moves to another status; `from` is null for a new order. */
export function orderSums(order: SummedOrder, from: OrderStatus | null, to: OrderStatus): SumsOfOffering {
  const { offeringId, units, totalAmount } = order
  const counted = (status: OrderStatus, sign: 1n | -1n): Partial<Record<OrderSumKind, bigint>> => ({
    [`orders ${status}`]: sign,
    [`units ${status}`]: sign * BigInt(units),
    [`amount ${status}`]: sign * totalAmount.minor,
  })
  return { offeringId, amounts: { ...(from && counted(from, -1n)), ...counted(to, 1n) } }
}
