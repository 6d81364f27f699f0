import type { Static } from 'typebox'
import type { Refund } from './refund.schema.ts'
import type { RefundRow } from './refund.sql.ts'

export function viewRefund(row: RefundRow): Static<typeof Refund> {
  return { ...row, created_at: row.created_at.toISOString(), changed_at: row.changed_at.toISOString() }
}
