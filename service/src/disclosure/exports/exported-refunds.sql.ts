import { sql } from '../../platform/postgres/sql.ts'
import { refundStatuses } from '../../sales/refunds/refund.schema.ts'
import { createdBetween } from './created-between.sql.ts'
import type { ExportSource } from './export-source.ts'
import { cellsOf, type Selected, selectionOf } from './exported-columns.sql.ts'
import { limitedTo } from './limited-to.sql.ts'

const columns = {
  refund_id: sql`refund.id`,
  order_id: sql`refund.order_id`,
  payment_reference: sql`token_order.payment_reference`,
  offering_id: sql`token_order.offering_id`,
  account_id: sql`token_order.account_id`,
  payment_id: sql`refund.payment_id`,
  reason: sql`refund.reason`,
  status: sql`refund.status`,
  amount: sql`refund.amount::text`,
  currency: sql`refund.currency`,
  reference: sql`refund.reference`,
  failure: sql`refund.failure`,
  created_at: sql`refund.created_at`,
  changed_at: sql`refund.changed_at`,
}
const personalColumns = { investor: sql`account.full_name` }

export const exportedRefunds: ExportSource = {
  duty: 'money',
  columns: Object.keys(columns),
  personalColumns: Object.keys(personalColumns),
  filters: ['offering_id', 'statuses', 'from', 'to'],
  statuses: refundStatuses,
  nextRows: async (request, { tx }) => {
    const { tenantId, filter, withPersonalData, limit } = request
    const shown = withPersonalData ? { ...columns, ...personalColumns } : columns
    const range = createdBetween({ id: sql`refund.id`, createdAt: sql`refund.created_at` }, request)
    const rows = await tx.rows<Selected & { refund_id: string }>(sql`
      select ${selectionOf(shown)}
      from cell.refund
      join cell.token_order on token_order.tenant_id = ${tenantId} and token_order.id = refund.order_id
      join cell.account on account.tenant_id = ${tenantId} and account.id = token_order.account_id
      where refund.tenant_id = ${tenantId} and ${range}
        and ${limitedTo(sql`token_order.offering_id`, filter.offering_id)}
        and ${limitedTo(sql`refund.status`, filter.statuses)}
      order by refund.id limit ${limit}::bigint`)
    return rows.map((row) => ({ key: row.refund_id, cells: cellsOf(shown, row) }))
  },
}
