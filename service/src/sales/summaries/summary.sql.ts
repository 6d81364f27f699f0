import { boundedCount } from '../../platform/api/declare/keyset.sql.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import type { OfferingStatus } from '../offerings/operator/operator-offering.sql.ts'
import type { Measure } from './sums.ts'

/** The amount of a measure; all others are 0. */
export interface SumRow {
  measure: Measure
  amount: string
}

/** The sums of all days. */
export function selectOfferingSums(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<SumRow[]> {
  return tx.rows<SumRow>(sql`
    select measure, amount::text as amount from cell.offering_sum
    where tenant_id = ${tenantId} and offering_id = ${offeringId}`)
}

/** The sums of all offerings by currency: an offering has one currency, which is fixed before its first order. */
export function selectTenantSums(tx: Transaction, tenantId: string): Promise<(SumRow & { currency: string })[]> {
  return tx.rows(sql`
    select offering.currency, offering_sum.measure, sum(offering_sum.amount)::text as amount
    from cell.offering_sum
    join cell.offering on offering.tenant_id = offering_sum.tenant_id and offering.id = offering_sum.offering_id
    where offering_sum.tenant_id = ${tenantId}
    group by offering.currency, offering_sum.measure
    order by offering.currency`)
}

export function countOfferingsByStatus(
  tx: Transaction,
  tenantId: string,
): Promise<{ status: OfferingStatus; count: number }[]> {
  return tx.rows(sql`
    select status, count(*)::int as count from cell.offering where tenant_id = ${tenantId} group by status`)
}

export interface DayRow {
  day: string
  amounts: Partial<Record<Measure, string>>
}

/** One row for each day: a year has thousands of sums, and reading each as a row takes most of the time. */
export function selectDailySums(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { from, to }: { from: string; to: string },
): Promise<DayRow[]> {
  return tx.rows<DayRow>(sql`
    select day::text as day, json_object_agg(measure, amount::text) as amounts from cell.daily_sum
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and day >= ${from}::date and day <= ${to}::date
    group by day order by day`)
}

/** The accounts that have units of the offering, counted up to one more than the response shows. */
export function countHoldingAccounts(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<number> {
  return boundedCount(
    tx,
    sql`distinct account_id from cell.wallet_balance
        where tenant_id = ${tenantId} and offering_id = ${offeringId} and balance > 0`,
  )
}

export function findOfferingCurrency(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
): Promise<{ currency: string } | undefined> {
  return tx.row(sql`select currency from cell.offering where tenant_id = ${tenantId} and id = ${offeringId}`)
}

/** Corrects the tenant's sums to what its events add up to. See the function in the migration. */
export async function rebuildSums(tx: Transaction): Promise<{ fromDay: string | null; corrected: number }> {
  // A statement of a request ends after seconds; this one reads the events of 30 days.
  await tx.rows(sql`set local statement_timeout = '30min'`)
  const rebuilt = await tx.row<{ fromDay: string | null; corrected: number }>(sql`
    select from_day::text as "fromDay", corrected::int as corrected from cell.rebuild_sums()`)
  if (!rebuilt) throw new Error('the sums were not rebuilt')
  return rebuilt
}
