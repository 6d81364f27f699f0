import type { Static } from 'typebox'
import { viewOf } from '../../platform/api/declare/view-of.ts'
import type { Money } from '../../platform/base/money.ts'
import { viewOrderLabels } from '../../sales/order-labels/order-labels.view.ts'
import { type ListedPayment, Payment } from './payment.schema.ts'
import type { ListedPaymentRow, PaymentRow } from './payment.sql.ts'

export const viewPayment = viewOf(Payment)

/** Returns the members that all events of a payment share. */
export function viewPaymentInEvent({ id, orderId, provider, amount, currency }: PaymentRow) {
  return { payment_id: id, order_id: orderId, provider, amount: amount.toNumber(), currency }
}

export function viewPaymentReceived(payment: PaymentRow, applied: Money) {
  return { ...viewPaymentInEvent(payment), applied_amount: applied.toNumber() }
}

export function viewListedPayment(row: ListedPaymentRow): Static<typeof ListedPayment> {
  return { ...viewPayment(row), order: viewOrderLabels(row) }
}
