import type { Static } from 'typebox'
import { viewOf } from '../../platform/api/declare/view-of.ts'
import { viewMaybeOrderLabels } from '../order-labels/order-labels.view.ts'
import { type ListedRefund, Refund } from './refund.schema.ts'
import type { ListedRefundRow } from './refund.sql.ts'

export const viewRefund = viewOf(Refund)

export function viewListedRefund(row: ListedRefundRow): Static<typeof ListedRefund> {
  return { ...viewRefund(row), order: viewMaybeOrderLabels(row) }
}
