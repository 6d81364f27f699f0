import { type Sql, sql } from '../../platform/db/sql.ts'

/** The offering of an order, as part of another statement. */
export function summedOffering(tenantId: string, orderId: string): Sql {
  return sql`(select offering_id from cell.token_order where tenant_id = ${tenantId} and id = ${orderId})`
}
