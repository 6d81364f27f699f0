import type { Static } from 'typebox'
import { viewOrderLabels } from '../../sales/order-labels/order-labels.view.ts'
import type { ListedPayment, Payment } from './payment.schema.ts'
import type { ListedPaymentRow, PaymentRow } from './payment.sql.ts'

export function viewPayment(row: PaymentRow): Static<typeof Payment> {
  return {
    id: row.id,
    order_id: row.orderId,
    provider: row.provider,
    provider_reference: row.providerReference,
    amount: row.amount,
    currency: row.currency,
    received_at: row.receivedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    approval_id: row.approvalId,
    matched_at: row.matchedAt?.toISOString() ?? null,
    reversed_at: row.reversedAt?.toISOString() ?? null,
    unassigned_payment_id: row.unassignedPaymentId,
  }
}

export function viewListedPayment(row: ListedPaymentRow): Static<typeof ListedPayment> {
  return { ...viewPayment(row), order: viewOrderLabels(row) }
}
