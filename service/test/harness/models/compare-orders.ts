import assert from 'node:assert/strict'
import type pg from 'pg'
import { Money } from '../../../src/platform/base/money.ts'
import type { Model } from './order-model.ts'

const euros = (cents: bigint) => Money.ofMinor(cents, 'EUR')

/** Compares the database with the model, order by order, and checks the sums that must always balance. */
export async function compareOrders(client: pg.Client, offeringId: string, model: Readonly<Model>): Promise<void> {
  const { rows } = await client.query({ name: 'orders', text: ordersText, values: [offeringId] })
  const expected = model.orders.map((order) => ({
    id: order.id,
    status: order.status,
    paid: euros(order.paid).toNumber(),
    received: euros(order.received).toNumber(),
    refunds: order.refunds.map(({ amount, reason, status }) => `${euros(amount)} ${reason} ${status}`),
  }))
  assert.deepEqual(rows, expected)
  const sums = await client.query({ name: 'sums', text: sumsText, values: [offeringId] })
  const [sum] = sums.rows
  const { reserved, reserved_of_orders, issued, issued_of_orders, received, accounted_for } = sum
  assert.equal(reserved, reserved_of_orders, 'the reserved units are the units of the live orders')
  assert.equal(issued, issued_of_orders, 'the issued units are the units of the minted orders')
  assert.equal(Number(received), Number(accounted_for), 'the payments are the amount applied plus the refunds')
  assert.equal(sum.money, String(euros(model.moneyIn)), 'the money received is applied, due, refunded or unassigned')
  assert.equal(sum.is_soft_cap_met, model.isSoftCapMet)
  assert.equal(sum.funded, sum.funded_of_orders, 'until the soft cap is met, the funded units are those of paid orders')
  const unassigned = await client.query({ name: 'unassigned', text: unassignedText, values: [offeringId] })
  assert.deepEqual(
    unassigned.rows.map(({ text }) => text),
    model.unassigned.map(({ id, status, rest }) => `${id} ${status} ${euros(rest)}`).toSorted(),
  )
  assert.deepEqual(
    (await client.query({ name: 'returned', text: returnedText, values: [offeringId] })).rows.map(
      ({ amount }) => amount,
    ),
    model.returned.map((amount) => String(euros(amount))),
  )
}

const ordersText = `
  select id, status, paid_amount::float8 as paid,
         (select coalesce(sum(amount), 0)::float8 from cell.payment
          where payment.order_id = token_order.id and reversed_at is null) as received,
         array(select amount::text || ' ' || reason || ' ' || status from cell.refund
               where refund.order_id = token_order.id order by id) as refunds
  from cell.token_order where offering_id = $1 order by offering_position`

const sumsText = `
  select reserved_units as reserved, issued_units as issued,
         (select coalesce(sum(units), 0) from cell.token_order where offering_id = offering.id
          and status in ('ORDERED', 'PAID', 'READYTOMINT', 'MINTING')) as reserved_of_orders,
         (select coalesce(sum(units), 0) from cell.token_order where offering_id = offering.id
          and status = 'MINTED') as issued_of_orders,
         (select coalesce(sum(payment.amount), 0) from cell.payment
          join cell.token_order on token_order.id = order_id
          where offering_id = offering.id and reversed_at is null) as received,
         (select coalesce(sum(paid_amount), 0) from cell.token_order where offering_id = offering.id)
         + (select coalesce(sum(refund.amount), 0) from cell.refund
            join cell.token_order on token_order.id = order_id
            where offering_id = offering.id and refund.status <> 'withdrawn') as accounted_for,
         ((select coalesce(sum(paid_amount), 0) from cell.token_order where token_order.tenant_id = offering.tenant_id)
          + (select coalesce(sum(amount), 0) from cell.refund
             where refund.tenant_id = offering.tenant_id and refund.status <> 'withdrawn')
          + (select coalesce(sum(unassigned_amount), 0) from cell.unassigned_payment
             where unassigned_payment.tenant_id = offering.tenant_id))::numeric(20, 2)::text as money,
         soft_cap_met_at is not null as is_soft_cap_met,
         case when soft_cap_units is not null and soft_cap_met_at is null then funded_units else 0 end as funded,
         case when soft_cap_units is not null and soft_cap_met_at is null then
           (select coalesce(sum(units), 0) from cell.token_order where offering_id = offering.id
            and status in ('PAID', 'READYTOMINT', 'MINTING', 'MINTED')) else 0 end as funded_of_orders
  from cell.offering where id = $1`

const unassignedText = `
  select unassigned_payment.id || ' ' || unassigned_payment.status || ' '
         || unassigned_payment.unassigned_amount::numeric(20, 2) as text
  from cell.unassigned_payment join cell.offering using (tenant_id) where offering.id = $1
  order by unassigned_payment.id::text`

const returnedText = `
  select refund.amount::numeric(20, 2)::text as amount
  from cell.refund join cell.offering using (tenant_id)
  where offering.id = $1 and refund.unassigned_payment_id is not null order by refund.id`
