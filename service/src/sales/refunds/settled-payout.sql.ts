import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'

/**
 * Informs operators if the bank has now settled or returned all refunds of the payout that sent this one. A refund that
 * came back and was sent in a later file counts for that one. Locks the payout first: if two refunds end at once, the
 * second must see the first.
 */
export async function recordSettledPayout(
  tx: Transaction,
  { tenantId, refundId }: { tenantId: string; refundId: string },
): Promise<void> {
  const payouts = await tx.rows<{ id: string; downloadedAt: Date }>(sql`
    select payout.id, payout.downloaded_at as "downloadedAt" from cell.payout_refund
    join cell.payout on payout.tenant_id = payout_refund.tenant_id and payout.id = payout_refund.payout_id
    where payout_refund.tenant_id = ${tenantId} and payout_refund.refund_id = ${refundId}
      and payout.status = 'downloaded'
    order by payout.downloaded_at desc limit 1
    for no key update of payout`)
  for (const { id, downloadedAt } of payouts) {
    const open = await tx.row(sql`
      select from cell.payout_refund
      join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
      where payout_refund.tenant_id = ${tenantId} and payout_refund.payout_id = ${id} and refund.status = 'sent'
        and not exists (
          select from cell.payout_refund as resent
          join cell.payout as later on later.tenant_id = resent.tenant_id and later.id = resent.payout_id
          where resent.tenant_id = refund.tenant_id and resent.refund_id = refund.id
            and later.id <> ${id} and later.downloaded_at >= ${downloadedAt})
      limit 1`)
    if (!open) await recordEvent(tx, tenantId, { type: 'payout.settled', data: { payout_id: id } })
  }
}
