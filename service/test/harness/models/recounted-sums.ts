import assert from 'node:assert/strict'
import type pg from 'pg'
import { numberEventBatch } from '../../../src/records/events/number-events.sql.ts'

/** Recounts the sums of a tenant from its orders, payments and refunds. Amounts are in cents. */
const recount = `
  select offering_id, measure, sum(amount)::text as amount
  from (
    select offering_id, 'orders ' || status as measure, 1 as amount from cell.token_order where tenant_id = $1
    union all
    select offering_id, 'units ' || status, units from cell.token_order where tenant_id = $1
    union all
    select offering_id, 'amount ' || status, total_amount * 100 from cell.token_order where tenant_id = $1
    union all
    select offering_id, 'received', payment.amount * 100
    from cell.payment join cell.token_order using (tenant_id) where tenant_id = $1 and order_id = token_order.id
    union all
    select offering_id, 'reversed', payment.amount * 100
    from cell.payment join cell.token_order using (tenant_id)
    where tenant_id = $1 and order_id = token_order.id and reversed_at is not null
    union all
    select offering_id, 'refunds ' || refund.status, 1
    from cell.refund join cell.token_order using (tenant_id) where tenant_id = $1 and order_id = token_order.id
    union all
    select offering_id, 'refund amount ' || refund.status, refund.amount * 100
    from cell.refund join cell.token_order using (tenant_id) where tenant_id = $1 and order_id = token_order.id
  ) counted
  group by offering_id, measure having sum(amount) <> 0 order by offering_id, measure`

/** Numbers all events, then asserts that the sums by day and in total equal the sums of the tenant's rows. */
export async function assertSumsAddUp(client: pg.Client, tenantId: string): Promise<void> {
  while ((await numberEventBatch(client, 1_000)) > 0);
  const rowsOf = async (text: string) =>
    (await client.query<{ offering_id: string; measure: string; amount: string }>(text, [tenantId])).rows.map(
      ({ offering_id, measure, amount }) => `${offering_id} ${measure}: ${Number(amount)}`,
    )
  const expected = await rowsOf(recount)
  const total = `select offering_id, measure, amount from cell.offering_sum
                 where tenant_id = $1 and amount <> 0 order by offering_id, measure`
  const daily = `select offering_id, measure, sum(amount) as amount from cell.daily_sum
                 where tenant_id = $1 group by 1, 2 having sum(amount) <> 0 order by offering_id, measure`
  assert.deepEqual(await rowsOf(total), expected, 'the sums in total')
  assert.deepEqual(await rowsOf(daily), expected, 'the sums by day')
}
