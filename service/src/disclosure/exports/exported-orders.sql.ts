import { TokenUnits } from '../../platform/base/token-units.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { orderStatuses } from '../../sales/orders/order.schema.ts'
import { createdBetween } from './created-between.sql.ts'
import type { ExportSource } from './export-source.ts'
import { cellsOf, type Selected, selectionOf } from './exported-columns.sql.ts'
import { limitedTo } from './limited-to.sql.ts'

const columns = {
  order_id: sql`token_order.id`,
  payment_reference: sql`token_order.payment_reference`,
  status: sql`token_order.status`,
  offering_id: sql`token_order.offering_id`,
  offering: sql`offering.name`,
  account_id: sql`token_order.account_id`,
  units: sql`token_order.units::text`,
  decimals: sql`offering.decimals`,
  tokens: sql`null`, // Computed from units and decimals.
  price_per_token: sql`trim_scale(token_order.price_per_token)::text`,
  total_amount: sql`token_order.total_amount::text`,
  paid_amount: sql`token_order.paid_amount::text`,
  currency: sql`token_order.currency`,
  created_at: sql`token_order.created_at`,
  payment_due_at: sql`token_order.payment_due_at`,
  accepted_at: sql`token_order.accepted_at`,
  paid_at: sql`token_order.paid_at`,
  cancelled_at: sql`token_order.cancelled_at`,
}
const personalColumns = { investor: sql`account.full_name`, email: sql`account.email` }

export const exportedOrders: ExportSource = {
  duty: 'read',
  columns: Object.keys(columns),
  personalColumns: Object.keys(personalColumns),
  filters: ['offering_id', 'statuses', 'from', 'to'],
  statuses: orderStatuses,
  nextRows: async (request, { tx }) => {
    const { tenantId, filter, withPersonalData, limit } = request
    const shown = withPersonalData ? { ...columns, ...personalColumns } : columns
    const range = createdBetween({ id: sql`token_order.id`, createdAt: sql`token_order.created_at` }, request)
    const rows = await tx.rows<Selected & { order_id: string; units: string; decimals: number }>(sql`
      select ${selectionOf(shown)}
      from cell.token_order
      join cell.offering on offering.tenant_id = ${tenantId} and offering.id = token_order.offering_id
      join cell.account on account.tenant_id = ${tenantId} and account.id = token_order.account_id
      where token_order.tenant_id = ${tenantId} and ${range}
        and ${limitedTo(sql`token_order.offering_id`, filter.offering_id)}
        and ${limitedTo(sql`token_order.status`, filter.statuses)}
      order by token_order.id limit ${limit}::bigint`)
    return rows.map((row) => ({
      key: row.order_id,
      cells: cellsOf(shown, { ...row, tokens: TokenUnits.of(row.units, row.decimals).toTokens() }),
    }))
  },
}
