import { type Sql, sql } from '../../platform/postgres/sql.ts'

/**
 * Condition on cell.refund: a transfer was sent, and no bank entry says that it came back. Refunds that were sent
 * before `sent_at` existed are recognized by their status or by a downloaded payout.
 */
export const mayBePaid: Sql = sql`
  (refund.returned_at is null and (
    refund.sent_at is not null or refund.status in ('sent', 'settled', 'failed')
    or exists (select from cell.payout_refund earlier
               where earlier.tenant_id = refund.tenant_id and earlier.refund_id = refund.id and not earlier.is_open)))`
