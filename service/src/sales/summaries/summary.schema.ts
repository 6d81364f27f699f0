import { Type } from 'typebox'
import { CalendarDate, Closed, CurrencyCode, Named, Uuid } from '../../platform/api/declare/fields.ts'
import { countMax } from '../../platform/api/declare/keyset-list.ts'
import { offeringStatuses } from '../offerings/operator/operator-offering.schema.ts'
import { orderStatuses } from '../orders/order.schema.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })
/** A change may be negative, for example if more orders were cancelled on a day than placed. */
const Change = (description: string) => Type.Integer({ description, examples: [12] })
const Money = (description: string) =>
  Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description, examples: ['1500.00'] })
const SomeUnits = (description: string) => Type.String({ pattern: '^-?\\d+$', description, examples: ['1500'] })

const status = Type.Enum(orderStatuses, { description: 'The status.' })
const inStatus = {
  count: Count('Orders that are in this status now.'),
  amount: Money('The sum of their totals.'),
}

const OrdersInStatus = Named('OrdersInStatus', { status, ...inStatus, units: SomeUnits('The sum of their units.') })

const MoneySummary = Named(
  'MoneySummary',
  {
    received: Money('What payers paid for orders.'),
    reversed: Money('What banks took back of it.'),
    applied: Money('What orders keep.'),
    owed: Money('Refunds that are due, or failed.'),
    sent: Money('Refunds that are on their way.'),
    paid_back: Money('Refunds that the bank has settled.'),
  },
  { description: '`received` less `reversed` is the sum of `applied`, `owed`, `sent` and `paid_back`.' },
)

const lastSequence = Type.Integer({
  minimum: 0,
  description: 'The event up to which everything is counted. Pass it to `GET /events/stream` to see what comes after.',
  examples: [4711],
})

export const OfferingSums = Named('OfferingSums', {
  offering_id: Uuid('The offering.'),
  currency: CurrencyCode('The currency of all amounts.'),
  last_sequence: lastSequence,
  orders: Type.Array(OrdersInStatus, { description: 'One for each status.' }),
  money: MoneySummary,
  holders: Closed({
    count: Type.Integer({
      minimum: 0,
      maximum: countMax,
      description: 'Accounts that have units in a wallet that is registered here.',
    }),
    is_count_exact: Type.Boolean({ description: `False if there are more: counting stops at ${countMax}.` }),
  }),
})

export const TenantSums = Named('TenantSums', {
  last_sequence: lastSequence,
  offerings: Type.Array(Closed({ status: Type.Enum(offeringStatuses), count: Count('Offerings in this status.') }), {
    description: 'One for each status.',
  }),
  currencies: Type.Array(
    Named('CurrencySummary', {
      currency: CurrencyCode('The currency.'),
      orders: Type.Array(Closed({ status, ...inStatus }), { description: 'One for each status.' }),
      money: MoneySummary,
    }),
    { description: 'One for each currency in which an offering has had an order.' },
  ),
})

const SeriesDay = Named('SeriesDay', {
  day: CalendarDate('The day, in UTC.'),
  orders_created: Change('New orders.'),
  units_ordered: SomeUnits('Their units.'),
  amount_ordered: Money('The sum of their totals.'),
  orders_paid: Change('Orders that became paid, less those that are paid no longer because they were cancelled.'),
  units_paid: SomeUnits('Their units.'),
  amount_paid: Money('The sum of their totals.'),
  orders_minted: Change('Orders that became MINTED.'),
  units_minted: SomeUnits('Their units.'),
  orders_cancelled: Change('Orders that became CANCELLED.'),
  units_cancelled: SomeUnits('Their units.'),
  amount_received: Money('What payers paid.'),
  amount_reversed: Money('What banks took back.'),
  amount_refunded: Money('Refunds that the bank settled, less those that it returned afterwards.'),
})

export const OfferingSeries = Named('OfferingSeries', {
  offering_id: Uuid('The offering.'),
  currency: CurrencyCode('The currency of all amounts.'),
  from: CalendarDate('The first day.'),
  to: CalendarDate('The last day.'),
  days: Type.Array(SeriesDay, { description: 'The days on which something happened, oldest first.' }),
})
