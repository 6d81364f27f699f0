import type { Static } from 'typebox'
import type { OrderNames } from './order-names.schema.ts'
import type { MaybeOrderNamesRow, OrderNamesRow } from './order-names.sql.ts'

export function viewOrderNames(row: OrderNamesRow): Static<typeof OrderNames> {
  return {
    payment_reference: row.orderReference,
    account_id: row.investorId,
    account_name: row.investorName,
    offering_id: row.namedOfferingId,
    offering_name: row.namedOfferingName,
  }
}

/** Returns null for a row that refers to no order. */
export function viewMaybeOrderNames(row: MaybeOrderNamesRow): Static<typeof OrderNames> | null {
  return row.orderReference === null ? null : viewOrderNames(row as OrderNamesRow)
}
