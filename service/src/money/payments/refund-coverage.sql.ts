import { type Sql, sql } from '../../platform/db/sql.ts'

/**
 * For statements that select from cell.refund: the money of the refund's order that is proven, is not needed by the
 * order, and is neither refunded nor in an open payout other than this one. Proven is what a bank or a provider
 * reported, and a payment by hand that a second person confirmed or that a bank or a provider reported later. An
 * unassigned payment is always what a bank or a provider reported, so a refund of it is covered.
 */
export const coveredAmountFor = (payoutId: string | null): Sql => sql`
  case when refund.order_id is null then refund.amount else
  (select coalesce(sum(payment.amount), 0) from cell.payment
   where payment.tenant_id = refund.tenant_id and payment.order_id = refund.order_id and payment.reversed_at is null
     and (payment.provider <> 'manual' or payment.approval_id is not null or payment.matched_at is not null))
  - (select token_order.paid_amount from cell.token_order
     where token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id)
  - (select coalesce(sum(other.amount), 0) from cell.refund other
     where other.tenant_id = refund.tenant_id and other.order_id = refund.order_id
       and (other.status in ('sent', 'settled')
            or other.status = 'due' and exists (
              select from cell.payout_refund
              where payout_refund.tenant_id = other.tenant_id and payout_refund.refund_id = other.id
                and payout_refund.is_open and payout_refund.payout_id is distinct from ${payoutId}::uuid)))
  end`
