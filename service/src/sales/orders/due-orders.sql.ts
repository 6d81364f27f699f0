import type pg from 'pg'
import type { OrderId } from './order-life.sql.ts'

/** The orders of all tenants of a cell whose payment is due by now, the most overdue first. As the worker's role. */
export async function listDueOrders(cell: pg.Pool, now: Date, limit: number): Promise<OrderId[]> {
  const { rows } = await cell.query<OrderId>({
    name: 'due-orders',
    text: `select tenant_id as "tenantId", id as "orderId" from cell.token_order
           where status = 'ORDERED' and payment_due_at <= $1 order by payment_due_at limit $2`,
    values: [now, limit],
  })
  return rows
}
