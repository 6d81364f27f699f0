import type { Static } from 'typebox'
import { fromMinorUnits } from '../../platform/base/money.ts'
import { orderStatuses } from '../orders/order.schema.ts'
import { isPaidIn } from '../orders/order-status.ts'
import type { OfferingSeries, OfferingSums } from './summary.schema.ts'
import type { SumRow } from './summary.sql.ts'
import type { Measure } from './sums.ts'

/** Sums by measure; a measure without a row is 0. */
export function sumsOf(rows: readonly SumRow[]): (measure: Measure) => bigint {
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

export function viewSeriesDay(
  day: string,
  rows: readonly SumRow[],
  currency: string,
): Static<typeof OfferingSeries>['days'][number] {
  const sumOf = sumsOf(rows)
  const over = (kind: 'orders' | 'units' | 'amount', statuses: readonly (typeof orderStatuses)[number][]) =>
    statuses.reduce((sum, status) => sum + sumOf(`${kind} ${status}`), 0n)
  const paid = orderStatuses.filter(isPaidIn)
  return {
    day,
    orders_created: Number(over('orders', orderStatuses)),
    units_ordered: String(over('units', orderStatuses)),
    amount_ordered: signed(over('amount', orderStatuses), currency),
    orders_paid: Number(over('orders', paid)),
    units_paid: String(over('units', paid)),
    amount_paid: signed(over('amount', paid), currency),
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
  return minorUnits < 0n ? `-${fromMinorUnits(-minorUnits, currency)}` : fromMinorUnits(minorUnits, currency)
}
