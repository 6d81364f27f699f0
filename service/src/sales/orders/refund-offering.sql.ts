import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'

/** Returns orders of an offering that can still be cancelled. */
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

/** Makes the soft cap impossible to meet from now on. The caller has locked the offering. */
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

/**
 * Returns the number of orders that a refund of all cancels, and the sum paid for them; undefined if the offering does
 * not exist.
 */
export async function sumOrdersToCancel(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
): Promise<{ count: number; amount: Money } | undefined> {
  const found = await tx.row<{ count: number; amount: Money }>(sql`
    select offering.currency, cancelled.count, cancelled.amount
    from cell.offering
    cross join lateral (
      select count(*)::int as count, coalesce(sum(paid_amount), 0)::text as amount from cell.token_order
      where tenant_id = offering.tenant_id and offering_id = offering.id
        and status in ('ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT')) cancelled
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
  return readMoney('amount')(found)
}
