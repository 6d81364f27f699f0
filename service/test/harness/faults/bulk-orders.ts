import { newOffering } from '../data/bodies.ts'
import { asOwner, ownerRows } from '../installation/database.ts'

/** One token. Clients that identify an order by its units use much smaller numbers. */
export const unitsOfBulkOrder = 100_000_000
export const amountOfBulkOrder = newOffering.price_per_token

/** Returns the reference that a payer of the order at this position quotes, in the form without check digits. */
export function referenceOfBulkOrder(position: number): string {
  return `IT${position.toString(16).toUpperCase().padStart(16, '0')}`
}

/**
 * Adds unpaid orders to an offering without orders, spread evenly over accounts without orders, as if they had come
 * through the API: positions without gaps, matching counters and sums.
 */
export async function addBulkOrders(
  url: string,
  {
    tenantId,
    offeringId,
    accountIds,
    orders,
  }: { tenantId: string; offeringId: string; accountIds: readonly string[]; orders: number },
): Promise<void> {
  if (orders === 0) return
  await asOwner(url, async (client) => {
    await client.query('begin')
    await client.query(insertOrders, [tenantId, offeringId, accountIds, orders, newOffering.collection_account])
    await client.query(countInAccounts, [tenantId])
    await client.query(
      `update cell.offering set order_count = $3::bigint, reserved_units = $3::bigint * ${unitsOfBulkOrder}::numeric
       where tenant_id = $1 and id = $2`,
      [tenantId, offeringId, orders],
    )
    for (const sums of [insertTotals, insertDailySums]) await client.query(sums, [tenantId, offeringId, orders])
    await client.query('commit')
    await client.query('analyze cell.token_order')
  })
}

/** Counts these orders. */
export async function countBulkOrders(url: string, tenantId: string): Promise<number> {
  const rows = await ownerRows<{ count: number }>(
    url,
    `select count(*)::integer from cell.token_order where tenant_id = $1 and units = ${unitsOfBulkOrder}`,
    [tenantId],
  )
  return rows[0]?.count ?? 0
}

const insertOrders = `
  insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position, units,
                                price_per_token, total_amount, currency, payment_provider, payment_bank_account,
                                payment_reference, payment_due_at)
  select $1, gen_random_uuid(), $2, ($3::uuid[])[at % cardinality($3::uuid[]) + 1], at, at / cardinality($3::uuid[]),
         ${unitsOfBulkOrder}, ${amountOfBulkOrder}, ${amountOfBulkOrder}, 'EUR', 'bank_transfer', $5::jsonb,
         'IT' || lpad(upper(to_hex(at)), 16, '0'), now() + interval '14 days'
  from generate_series(0, $4::integer - 1) at`

const countInAccounts = `
  update cell.account set order_count = counted.orders
  from (select account_id, count(*) as orders from cell.token_order where tenant_id = $1 group by account_id) counted
  where account.tenant_id = $1 and account.id = counted.account_id`

const sums = `
  (values ('orders ORDERED', $3::numeric), ('units ORDERED', $3::numeric * ${unitsOfBulkOrder}),
          ('amount ORDERED', $3::numeric * ${amountOfBulkOrder} * 100)) as sum (measure, amount)`

const insertTotals = `
  insert into cell.offering_sum (tenant_id, offering_id, measure, amount) select $1, $2, measure, amount from ${sums}`

const insertDailySums = `
  insert into cell.daily_sum (tenant_id, offering_id, day, measure, amount)
  select $1, $2, current_date, measure, amount from ${sums}`
