import { Money } from '../../platform/base/money.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/**
 * The proven money of the refund's order that the order does not need, and that is neither refunded nor in an open
 * payout other than this one. Money is proven if a bank or a provider reported it, or if a payment by hand was
 * confirmed by a second person or reported later. An unassigned payment was always reported, so a refund of it is
 * covered. The expression is for statements that select from cell.refund.
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

/** Returns the sum of the refunds of an order that are due or failed: money that was received and not paid out. */
export async function sumUnsentRefunds(
  tx: Transaction,
  { tenantId, id, currency }: { tenantId: string; id: string; currency: string },
): Promise<Money> {
  const found = await tx.row<{ sum: string }>(sql`
    select coalesce(sum(amount), 0)::text as sum from cell.refund
    where tenant_id = ${tenantId} and order_id = ${id} and status in ('due', 'failed')`)
  return Money.parse(found?.sum ?? '0', currency)
}
