import type { Static } from 'typebox'
import type { Payment } from './payment.schema.ts'
import type { PaymentRow } from './payment.sql.ts'

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
    matched_at: row.matchedAt?.toISOString() ?? null,
    reversed_at: row.reversedAt?.toISOString() ?? null,
  }
}
