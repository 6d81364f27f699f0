import type { Static } from 'typebox'
import { Money } from '../../platform/base/money.ts'
import { orderStatuses } from '../orders/order.schema.ts'
import { isPaidIn } from '../orders/order-status.ts'
import type { SumKind } from './sum-kind.ts'
import type { OfferingSeries, OfferingSums } from './summary.schema.ts'
import type { DayRow, SumRow } from './summary.sql.ts'

/** Returns a function for the sum of a measure; a measure without a row is 0. */
export function sumsOf(rows: readonly SumRow[]): (measure: SumKind) => bigint {
  const amounts = new Map(rows.map(({ measure, amount }) => [measure, BigInt(amount)]))
  return (measure) => amounts.get(measure) ?? 0n
}

type SumOf = ReturnType<typeof sumsOf>

export function viewOrdersInStatus(sumOf: SumOf, currency: string): Static<typeof OfferingSums>['orders'] {
  return orderStatuses.map((status) => ({
    status,
    count: Number(sumOf(`orders ${status}`)),
    amount: signed(sumOf(`amount ${status}`), currency),
    units: String(sumOf(`units ${status}`)),
  }))
}

export function viewMoney(sumOf: SumOf, currency: string): Static<typeof OfferingSums>['money'] {
  const [received, reversed] = [sumOf('received'), sumOf('reversed')]
  const owed = sumOf('refund amount due') + sumOf('refund amount failed')
  const [sent, paidBack] = [sumOf('refund amount sent'), sumOf('refund amount settled')]
  return {
    received: signed(received, currency),
    reversed: signed(reversed, currency),
    applied: signed(received - reversed - owed - sent - paidBack, currency),
    owed: signed(owed, currency),
    sent: signed(sent, currency),
    paid_back: signed(paidBack, currency),
  }
}

/** Lists the measures once, not again for each of up to 366 days. */
const measuresOf = (statuses: readonly (typeof orderStatuses)[number][]) => ({
  orders: statuses.map((status): SumKind => `orders ${status}`),
  units: statuses.map((status): SumKind => `units ${status}`),
  amount: statuses.map((status): SumKind => `amount ${status}`),
})
const allOrders = measuresOf(orderStatuses)
const paidOrders = measuresOf(orderStatuses.filter(isPaidIn))

export function viewSeriesDay(
  { day, amounts }: DayRow,
  currency: string,
): Static<typeof OfferingSeries>['days'][number] {
  const sumOf = (measure: SumKind) => BigInt(amounts[measure] ?? 0)
  const over = (kind: keyof typeof allOrders, measures: typeof allOrders) =>
    measures[kind].reduce((sum, measure) => (amounts[measure] === undefined ? sum : sum + sumOf(measure)), 0n)
  return {
    day,
    orders_created: Number(over('orders', allOrders)),
    units_ordered: String(over('units', allOrders)),
    amount_ordered: signed(over('amount', allOrders), currency),
    orders_paid: Number(over('orders', paidOrders)),
    units_paid: String(over('units', paidOrders)),
    amount_paid: signed(over('amount', paidOrders), currency),
    orders_minted: Number(sumOf('orders MINTED')),
    units_minted: String(sumOf('units MINTED')),
    orders_cancelled: Number(sumOf('orders CANCELLED')),
    units_cancelled: String(sumOf('units CANCELLED')),
    amount_received: signed(sumOf('received'), currency),
    amount_reversed: signed(sumOf('reversed'), currency),
    amount_refunded: signed(sumOf('refund amount settled'), currency),
  }
}

function signed(minorUnits: bigint, currency: string): string {
  return Money.ofMinor(minorUnits, currency).toString()
}
