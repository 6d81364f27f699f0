import type { Static } from 'typebox'
import type { AccountSummaryRow } from '../accounts/account.sql.ts'
import { viewAccountSummary } from '../accounts/account.view.ts'
import type { OfferingSummaryRow } from '../offerings/offering.sql.ts'
import { viewOfferingSummary } from '../offerings/offering.view.ts'
import type { Order, OrderOfAccount, OrderOfOffering } from './order.schema.ts'
import type { OrderDetailRow, OrderSummaryRow } from './order.sql.ts'

export function viewOrder(row: OrderDetailRow): Static<typeof Order> {
  return {
    ...viewMembers(row),
    account: viewAccountSummary(row),
    offering: viewOfferingSummary(row),
    payment_bank_account: row.paymentBankAccount,
    created_at: row.createdAt.toISOString(),
  }
}

export function viewOrderOfOffering(row: OrderSummaryRow & AccountSummaryRow): Static<typeof OrderOfOffering> {
  return { ...viewMembers(row), account: viewAccountSummary(row) }
}

export function viewOrderOfAccount(row: OrderSummaryRow & OfferingSummaryRow): Static<typeof OrderOfAccount> {
  return { ...viewMembers(row), offering: viewOfferingSummary(row) }
}

/** Amounts become numbers only here. They have at most 15 digits, which a JSON number represents exactly. */
function viewMembers(row: OrderSummaryRow) {
  return {
    id: row.id,
    units: row.units,
    total_amount: Number(row.totalAmount),
    payment_provider: row.paymentProvider,
    paid_at: row.paidAt?.toISOString() ?? null,
    paid_amount: Number(row.paidAmount),
    currency: row.currency,
    status: row.status,
  }
}
