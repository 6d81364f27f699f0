import { type Sql, sql } from '../../platform/postgres/sql.ts'

/** Selects the offering of an order, within another statement. */
export function summedOffering(tenantId: string, orderId: string): Sql {
  return sql`(select offering_id from cell.token_order where tenant_id = ${tenantId} and id = ${orderId})`
}
