import type { Static } from 'typebox'
import type { Money } from '../../platform/base/money.ts'
import { viewOrderLabels } from '../../sales/order-labels/order-labels.view.ts'
import type { ListedPayment, Payment } from './payment.schema.ts'
import type { ListedPaymentRow, PaymentRow } from './payment.sql.ts'

export function viewPayment(row: PaymentRow): Static<typeof Payment> {
  return {
    id: row.id,
    order_id: row.orderId,
    provider: row.provider,
    provider_reference: row.providerReference,
    amount: row.amount.toString(),
    currency: row.currency,
    received_at: row.receivedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    approval_id: row.approvalId,
    matched_at: row.matchedAt?.toISOString() ?? null,
    reversed_at: row.reversedAt?.toISOString() ?? null,
    unassigned_payment_id: row.unassignedPaymentId,
  }
}

/** Returns what all events of a payment say about it. */
export function viewPaymentInEvent({ id, orderId, provider, amount, currency }: PaymentRow) {
  return { payment_id: id, order_id: orderId, provider, amount: amount.toNumber(), currency }
}

export function viewPaymentReceived(payment: PaymentRow, applied: Money) {
  return { ...viewPaymentInEvent(payment), applied_amount: applied.toNumber() }
}

export function viewListedPayment(row: ListedPaymentRow): Static<typeof ListedPayment> {
  return { ...viewPayment(row), order: viewOrderLabels(row) }
}
