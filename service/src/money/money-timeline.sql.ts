import { sql } from '../platform/postgres/sql.ts'
import type { TimelineSource } from '../records/timeline/timeline-source.ts'

const payments: TimelineSource = {
  source: 'payment',
  from: sql`
    cell.payment
    join cell.token_order on token_order.tenant_id = payment.tenant_id and token_order.id = payment.order_id`,
  of: {
    order: ({ tenantId, subjectId }) => sql`payment.tenant_id = ${tenantId} and payment.order_id = ${subjectId}`,
    account: ({ tenantId, subjectId }) => sql`
      payment.tenant_id = ${tenantId} and token_order.tenant_id = ${tenantId}
      and token_order.account_id = ${subjectId}`,
  },
  id: sql`payment.id`,
  at: sql`payment.created_at`,
  type: sql`'payment.received'::text`,
  links: sql`jsonb_build_object('payment_id', payment.id, 'order_id', payment.order_id,
                                'approval_id', payment.approval_id)`,
  detail: sql`jsonb_build_object('amount', payment.amount::text, 'currency', payment.currency,
                                 'provider', payment.provider, 'reference', payment.provider_reference,
                                 'is_reversed', payment.reversed_at is not null)`,
}

export const moneyTimeline: readonly TimelineSource[] = [payments]
