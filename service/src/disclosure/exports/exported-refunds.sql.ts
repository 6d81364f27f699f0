import { sql } from '../../platform/postgres/sql.ts'
import { refundStatuses } from '../../sales/refunds/refund.schema.ts'
import { createdBetween } from './created-between.sql.ts'
import { type ExportSource, time } from './export-source.ts'
import { limitedTo } from './limited-to.sql.ts'

interface RefundCells {
  id: string
  orderId: string
  reference: string
  offeringId: string
  accountId: string
  paymentId: string | null
  reason: string
  status: string
  amount: string
  currency: string
  sentAs: string | null
  failure: string | null
  createdAt: Date
  changedAt: Date
  investor: string
}

export const exportedRefunds: ExportSource = {
  duty: 'money',
  columns: [
    'refund_id',
    'order_id',
    'payment_reference',
    'offering_id',
    'account_id',
    'payment_id',
    'reason',
    'status',
    'amount',
    'currency',
    'reference',
    'failure',
    'created_at',
    'changed_at',
  ],
  personalColumns: ['investor'],
  filters: ['offering_id', 'statuses', 'from', 'to'],
  statuses: refundStatuses,
  nextRows: async (request, { tx }) => {
    const { tenantId, filter, withPersonalData, limit } = request
    const range = createdBetween({ id: sql`refund.id`, createdAt: sql`refund.created_at` }, request)
    const rows = await tx.rows<RefundCells>(sql`
      select refund.id, refund.order_id as "orderId", token_order.payment_reference as reference,
             token_order.offering_id as "offeringId", token_order.account_id as "accountId",
             refund.payment_id as "paymentId", refund.reason, refund.status, refund.amount::text as amount,
             refund.currency, refund.reference as "sentAs", refund.failure, refund.created_at as "createdAt",
             refund.changed_at as "changedAt", account.full_name as investor
      from cell.refund
      join cell.token_order on token_order.tenant_id = ${tenantId} and token_order.id = refund.order_id
      join cell.account on account.tenant_id = ${tenantId} and account.id = token_order.account_id
      where refund.tenant_id = ${tenantId} and ${range}
        and ${limitedTo(sql`token_order.offering_id`, filter.offering_id)}
        and ${limitedTo(sql`refund.status`, filter.statuses)}
      order by refund.id limit ${limit}::bigint`)
    return rows.map((row) => ({
      key: row.id,
      cells: [
        row.id,
        row.orderId,
        row.reference,
        row.offeringId,
        row.accountId,
        row.paymentId,
        row.reason,
        row.status,
        row.amount,
        row.currency,
        row.sentAs,
        row.failure,
        time(row.createdAt),
        time(row.changedAt),
        ...(withPersonalData ? [row.investor] : []),
      ],
    }))
  },
}
