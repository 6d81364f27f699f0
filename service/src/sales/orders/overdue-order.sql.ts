import type pg from 'pg'
import { acrossTenants, sql } from '../../platform/postgres/sql.ts'
import type { OrderId } from './order-transition.sql.ts'

/** True if an order of the cell is overdue, by the clock of the database. */
export const areOrdersOverdue = sql`
  exists (select from cell.token_order where status = 'ORDERED' and payment_due_at <= now())`

/** Returns overdue orders of all tenants of a cell, oldest first. Runs with the worker's role. */
export function selectOverdueOrders(pool: pg.Pool, now: Date, limit: number): Promise<OrderId[]> {
  return acrossTenants(pool).rows(sql`
    select tenant_id as "tenantId", id as "orderId" from cell.token_order
    where status = 'ORDERED' and payment_due_at <= ${now} order by payment_due_at limit ${limit}::bigint`)
}
