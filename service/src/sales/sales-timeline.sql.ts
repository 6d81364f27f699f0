import { sql } from '../platform/postgres/sql.ts'
import type { TimelineSource } from '../records/timeline/timeline-source.ts'

const refunds: TimelineSource = {
  source: 'refund',
  from: sql`
    cell.refund
    join cell.token_order on token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id`,
  of: {
    order: ({ tenantId, subjectId }) => sql`refund.tenant_id = ${tenantId} and refund.order_id = ${subjectId}`,
    account: ({ tenantId, subjectId }) => sql`
      refund.tenant_id = ${tenantId} and token_order.tenant_id = ${tenantId} and token_order.account_id = ${subjectId}`,
  },
  id: sql`refund.id`,
  at: sql`refund.created_at`,
  type: sql`'refund.due'::text`,
  links: sql`jsonb_build_object('refund_id', refund.id, 'order_id', refund.order_id)`,
  detail: sql`jsonb_build_object('amount', refund.amount::text, 'currency', refund.currency, 'reason', refund.reason,
                                 'status', refund.status)`,
}

export const salesTimeline: readonly TimelineSource[] = [refunds]
