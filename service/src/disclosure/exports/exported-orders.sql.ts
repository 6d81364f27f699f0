import { TokenUnits } from '../../platform/base/token-units.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { orderStatuses } from '../../sales/orders/order.schema.ts'
import { createdBetween } from './created-between.sql.ts'
import { type ExportSource, time } from './export-source.ts'
import { limitedTo } from './limited-to.sql.ts'

interface OrderCells {
  id: string
  reference: string
  status: string
  offeringId: string
  offering: string
  accountId: string
  units: string
  decimals: number
  price: string
  total: string
  paid: string
  currency: string
  createdAt: Date
  dueAt: Date
  acceptedAt: Date | null
  paidAt: Date | null
  cancelledAt: Date | null
  investor: string
  email: string
}

export const exportedOrders: ExportSource = {
  duty: 'read',
  columns: [
    'order_id',
    'payment_reference',
    'status',
    'offering_id',
    'offering',
    'account_id',
    'units',
    'decimals',
    'tokens',
    'price_per_token',
    'total_amount',
    'paid_amount',
    'currency',
    'created_at',
    'payment_due_at',
    'accepted_at',
    'paid_at',
    'cancelled_at',
  ],
  personalColumns: ['investor', 'email'],
  filters: ['offering_id', 'statuses', 'from', 'to'],
  statuses: orderStatuses,
  nextRows: async (request, { tx }) => {
    const { tenantId, filter, withPersonalData, limit } = request
    const range = createdBetween({ id: sql`token_order.id`, createdAt: sql`token_order.created_at` }, request)
    const rows = await tx.rows<OrderCells>(sql`
      select token_order.id, token_order.payment_reference as reference, token_order.status,
             token_order.offering_id as "offeringId", offering.name as offering, token_order.account_id as "accountId",
             token_order.units::text as units, offering.decimals,
             trim_scale(token_order.price_per_token)::text as price,
             token_order.total_amount::text as total, token_order.paid_amount::text as paid, token_order.currency,
             token_order.created_at as "createdAt", token_order.payment_due_at as "dueAt",
             token_order.accepted_at as "acceptedAt", token_order.paid_at as "paidAt",
             token_order.cancelled_at as "cancelledAt", account.full_name as investor, account.email
      from cell.token_order
      join cell.offering on offering.tenant_id = ${tenantId} and offering.id = token_order.offering_id
      join cell.account on account.tenant_id = ${tenantId} and account.id = token_order.account_id
      where token_order.tenant_id = ${tenantId} and ${range}
        and ${limitedTo(sql`token_order.offering_id`, filter.offering_id)}
        and ${limitedTo(sql`token_order.status`, filter.statuses)}
      order by token_order.id limit ${limit}::bigint`)
    return rows.map((row) => ({
      key: row.id,
      cells: [
        row.id,
        row.reference,
        row.status,
        row.offeringId,
        row.offering,
        row.accountId,
        row.units,
        String(row.decimals),
        TokenUnits.of(row.units, row.decimals).toTokens(),
        row.price,
        row.total,
        row.paid,
        row.currency,
        time(row.createdAt),
        time(row.dueAt),
        time(row.acceptedAt),
        time(row.paidAt),
        time(row.cancelledAt),
        ...(withPersonalData ? [row.investor, row.email] : []),
      ],
    }))
  },
}
