import type { Static } from 'typebox'
import type { OrderLabels } from './order-labels.schema.ts'
import type { MaybeOrderLabelsRow, OrderLabelsRow } from './order-labels.sql.ts'

export function viewOrderLabels(row: OrderLabelsRow): Static<typeof OrderLabels> {
  return {
    payment_reference: row.orderReference,
    account_id: row.investorId,
    account_name: row.investorName,
    offering_id: row.namedOfferingId,
    offering_name: row.namedOfferingName,
  }
}

/** Returns null for a row that refers to no order. */
export function viewMaybeOrderLabels(row: MaybeOrderLabelsRow): Static<typeof OrderLabels> | null {
  return row.orderReference === null ? null : viewOrderLabels(row as OrderLabelsRow)
}
