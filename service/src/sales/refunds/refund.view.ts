import type { Static } from 'typebox'
import type { Refund } from './refund.schema.ts'
import type { RefundRow } from './refund.sql.ts'

export function viewRefund({ orderId, createdAt, changedAt, ...row }: RefundRow): Static<typeof Refund> {
  return { ...row, order_id: orderId, created_at: createdAt.toISOString(), changed_at: changedAt.toISOString() }
}
