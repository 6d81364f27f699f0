import type { Static } from 'typebox'
import { jsonRowsOf, type WriteRows } from '../../platform/api/declare/json-rows.ts'
import type { AccountSummaryRow } from '../accounts/account.sql.ts'
import { accountSummaryMembers, viewAccountSummary } from '../accounts/account.view.ts'
import type { OfferingSummaryRow } from '../offerings/offering.sql.ts'
import { offeringSummaryMembers, viewOfferingSummary } from '../offerings/offering.view.ts'
import { type Order, OrderOfAccount, OrderOfOffering } from './order.schema.ts'
import type { OrderDetailRow, OrderSummaryRow } from './order.sql.ts'

/** Column of each member. Lists write rows as they come, see jsonRowsOf. */
const summaryMembers = {
  id: 'id',
  units: 'units',
  total_amount: 'totalAmount',
  payment_provider: 'paymentProvider',
  paid_at: 'paidAt',
  paid_amount: 'paidAmount',
  currency: 'currency',
  status: 'status',
} as const

export const ordersOfOffering: WriteRows<OrderSummaryRow & AccountSummaryRow, typeof OrderOfOffering> = jsonRowsOf(
  OrderOfOffering,
  { ...summaryMembers, account: accountSummaryMembers },
)

export const ordersOfAccount: WriteRows<OrderSummaryRow & OfferingSummaryRow, typeof OrderOfAccount> = jsonRowsOf(
  OrderOfAccount,
  { ...summaryMembers, offering: offeringSummaryMembers },
)

export function viewOrder(row: OrderDetailRow): Static<typeof Order> {
  return {
    ...viewMembers(row),
    account: viewAccountSummary(row),
    offering: viewOfferingSummary(row),
    payment_bank_account: row.paymentBankAccount,
    created_at: row.createdAt.toISOString(),
  }
}

/** Converts amounts to numbers, only here. They have at most 15 digits, which a JSON number represents exactly. */
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
