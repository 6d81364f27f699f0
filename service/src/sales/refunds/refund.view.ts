import type { Static } from 'typebox'
import { viewMaybeOrderLabels } from '../order-labels/order-labels.view.ts'
import type { ListedRefund, Refund } from './refund.schema.ts'
import type { ListedRefundRow, RefundRow } from './refund.sql.ts'

export function viewRefund(row: RefundRow): Static<typeof Refund> {
  const { id, reason, amount, currency, status, reference, failure } = row
  return {
    id,
    order_id: row.orderId,
    payment_id: row.paymentId,
    unassigned_payment_id: row.unassignedPaymentId,
    reason,
    amount,
    currency,
    status,
    reference,
    failure,
    created_at: row.createdAt.toISOString(),
    changed_at: row.changedAt.toISOString(),
    account_approved_at: row.accountApprovedAt?.toISOString() ?? null,
    may_be_paid: row.mayBePaid,
  }
}

export function viewListedRefund(row: ListedRefundRow): Static<typeof ListedRefund> {
  return { ...viewRefund(row), order: viewMaybeOrderLabels(row) }
}
