import type { Static } from 'typebox'
import type { Payment } from './payment.schema.ts'
import type { PaymentRow } from './payment.sql.ts'

export function viewPayment(row: PaymentRow): Static<typeof Payment> {
  return { ...row, received_at: row.received_at.toISOString(), created_at: row.created_at.toISOString() }
}
