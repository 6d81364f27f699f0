import type { Static } from 'typebox'
import { viewOf } from '../../platform/api/declare/view-of.ts'
import { OrderLabels } from './order-labels.schema.ts'
import type { MaybeOrderLabelsRow, OrderLabelsRow } from './order-labels.sql.ts'

export const viewOrderLabels = viewOf(OrderLabels, {
  payment_reference: 'orderReference',
  account_id: 'investorId',
  account_name: 'investorName',
  offering_id: 'namedOfferingId',
  offering_name: 'namedOfferingName',
})

/** Returns null for a row that refers to no order. */
export function viewMaybeOrderLabels(row: MaybeOrderLabelsRow): Static<typeof OrderLabels> | null {
  return row.orderReference === null ? null : viewOrderLabels(row as OrderLabelsRow)
}
