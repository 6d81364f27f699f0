import { type Sql, sql } from '../../platform/postgres/sql.ts'

/** Labels to show instead of an order's ids: its reference, its investor and its offering. */
export interface OrderLabelsRow {
  orderReference: string
  investorId: string
  investorName: string
  namedOfferingId: string
  namedOfferingName: string
}

/** Labels for a row that may refer to no order. */
export type MaybeOrderLabelsRow = { [Column in keyof OrderLabelsRow]: string | null }

export const orderLabelsColumns: Sql = sql`
  token_order.payment_reference as "orderReference", account.id as "investorId", account.full_name as "investorName",
  offering.id as "namedOfferingId", offering.name as "namedOfferingName"`

/** Joins the labels to rows with an order_id. */
export function joinOrderLabels(table: Sql): Sql {
  return sql`
    join cell.token_order on token_order.tenant_id = ${table}.tenant_id and token_order.id = ${table}.order_id
    join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
    join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id`
}

/** Joins the labels to rows whose order_id may be null. */
export function maybeJoinOrderLabels(table: Sql): Sql {
  return sql`
    left join cell.token_order on token_order.tenant_id = ${table}.tenant_id and token_order.id = ${table}.order_id
    left join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
    left join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id`
}
