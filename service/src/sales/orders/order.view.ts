import type { Static } from 'typebox'
import { jsonRowsOf, type WriteRows } from '../../platform/api/declare/json-rows.ts'
import { camelColumns, viewOf } from '../../platform/api/declare/view-of.ts'
import type { AccountSummaryRow } from '../accounts/account.sql.ts'
import { accountSummaryMembers, viewAccountSummary } from '../accounts/account.view.ts'
import type { OfferingSummaryRow } from '../offerings/offering.sql.ts'
import { offeringSummaryMembers, viewOfferingSummary } from '../offerings/offering.view.ts'
import { type Order, OrderOfAccount, OrderOfOffering, OrderSummary } from './order.schema.ts'
import type { OrderRow, OrderSummaryRow, ShownOrderRow } from './order.sql.ts'

/** Column of each member. Lists write rows as they come, see jsonRowsOf. */
const summaryMembers = camelColumns(OrderSummary)
const viewOrderSummary = viewOf(OrderSummary)

export const ordersOfOffering: WriteRows<OrderSummaryRow & AccountSummaryRow, typeof OrderOfOffering> = jsonRowsOf(
  OrderOfOffering,
  { ...summaryMembers, account: accountSummaryMembers },
)

export const ordersOfAccount: WriteRows<OrderSummaryRow & OfferingSummaryRow, typeof OrderOfAccount> = jsonRowsOf(
  OrderOfAccount,
  { ...summaryMembers, offering: offeringSummaryMembers },
)

type OrderInEvent = Pick<
  OrderRow,
  'id' | 'offeringId' | 'accountId' | 'status' | 'units' | 'totalAmount' | 'paidAmount' | 'currency'
>

export function viewOrder(row: ShownOrderRow): Static<typeof Order> {
  return {
    ...viewOrderSummary(row),
    account: viewAccountSummary(row),
    offering: viewOfferingSummary(row),
    payment_bank_account: row.paymentBankAccount,
    created_at: row.createdAt.toISOString(),
  }
}

/** Returns the members that all events of an order share. */
export function viewOrderInEvent(order: OrderInEvent) {
  return {
    order_id: order.id,
    offering_id: order.offeringId,
    account_id: order.accountId,
    status: order.status,
    units: order.units,
    total_amount: order.totalAmount.toNumber(),
    paid_amount: order.paidAmount.toNumber(),
    currency: order.currency,
  }
}
