import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'

/** Orders of an offering that can still be cancelled. */
export async function selectOrdersToCancel(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from cell.token_order
    where tenant_id = ${tenantId} and offering_id = ${offeringId}
      and status in ('ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT')
    limit ${limit}::bigint`)
  return rows.map(({ id }) => id)
}

/** The caller has locked the offering. From now on its soft cap cannot be met. */
export async function setRefundAll(tx: Transaction, { tenantId, offeringId }: OfferingKey, now: Date): Promise<void> {
  await tx.rows(sql`
    update cell.offering set refund_all_at = ${now}
    where tenant_id = ${tenantId} and id = ${offeringId} and refund_all_at is null`)
}

export async function setRefundedAll(tx: Transaction, { tenantId, offeringId }: OfferingKey, now: Date): Promise<void> {
  await tx.rows(sql`
    update cell.offering set refunded_all_at = ${now}
    where tenant_id = ${tenantId} and id = ${offeringId} and refund_all_at is not null and refunded_all_at is null`)
}

/** How many orders a refund of all cancels, and what was paid for them. */
export async function sumOrdersToCancel(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
): Promise<{ count: number; amount: string }> {
  const found = await tx.row<{ count: number; amount: string }>(sql`
    select count(*)::int as count, coalesce(sum(paid_amount), 0)::text as amount from cell.token_order
    where tenant_id = ${tenantId} and offering_id = ${offeringId}
      and status in ('ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT')`)
  return found ?? { count: 0, amount: '0' }
}
