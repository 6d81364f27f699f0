import { type Sql, sql } from '../../platform/db/sql.ts'

/**
 * For statements that select from cell.refund: a transfer was sent, and no bank entry says that it came back. Refunds
 * that were sent before `sent_at` existed have a status or a downloaded payout that says so.
 */
export const mayBePaid: Sql = sql`
  (refund.returned_at is null and (
    refund.sent_at is not null or refund.status in ('sent', 'settled', 'failed')
    or exists (select from cell.payout_refund earlier
               where earlier.tenant_id = refund.tenant_id and earlier.refund_id = refund.id and not earlier.is_open)))`
