import type pg from 'pg'
import { sql } from '../../platform/postgres/sql.ts'
import type { OrderId } from './order-transition.sql.ts'

/** True if an order of the cell is overdue, by the clock of the database. */
export const areOrdersOverdue = sql`
  exists (select from cell.token_order where status = 'ORDERED' and payment_due_at <= now())`

/** Returns overdue orders of all tenants of a cell, oldest first. Runs with the worker's role. */
export async function selectOverdueOrders(pool: pg.Pool, now: Date, limit: number): Promise<OrderId[]> {
  const { rows } = await pool.query<OrderId>({
    name: 'select-overdue-orders',
    text: `select tenant_id as "tenantId", id as "orderId" from cell.token_order
           where status = 'ORDERED' and payment_due_at <= $1 order by payment_due_at limit $2`,
    values: [now, limit],
  })
  return rows
}
