import { boundedCount } from '../../platform/api/declare/keyset.sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import type { OfferingStatus } from '../offerings/operator/operator-offering.sql.ts'
import type { SumKind } from './sum-kind.ts'

/** Amount of one measure. A measure without a row is 0. */
export interface SumRow {
  measure: SumKind
  amount: string
}

/** Returns the sums over all days. */
export function selectOfferingSums(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<SumRow[]> {
  return tx.rows<SumRow>(sql`
    select measure, amount::text as amount from cell.offering_sum
    where tenant_id = ${tenantId} and offering_id = ${offeringId}`)
}

/** Returns the sums of all offerings by currency: an offering has one, which is fixed before its first order. */
export function selectTenantSums(tx: Transaction, tenantId: string): Promise<(SumRow & { currency: string })[]> {
  return tx.rows(sql`
    select offering.currency, offering_sum.measure, sum(offering_sum.amount)::text as amount
    from cell.offering_sum
    join cell.offering on offering.tenant_id = offering_sum.tenant_id and offering.id = offering_sum.offering_id
    where offering_sum.tenant_id = ${tenantId}
    group by offering.currency, offering_sum.measure
    order by offering.currency`)
}

export function countOfferingsByStatus(tx: Transaction, tenantId: string) {
  return tx.rows<{ status: OfferingStatus; count: number }>(sql`
    select status, count(*)::int as count from cell.offering where tenant_id = ${tenantId} group by status`)
}

export interface DayRow {
  day: string
  amounts: Partial<Record<SumKind, string>>
}

/** Returns one row per day: a year has thousands of sums, and reading each as a row takes most of the time. */
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

/** Counts the accounts that have units of the offering, up to one more than the response shows. */
export function countHoldingAccounts(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<number> {
  return boundedCount(
    tx,
    sql`distinct account_id from cell.wallet_balance
        where tenant_id = ${tenantId} and offering_id = ${offeringId} and balance > 0`,
  )
}

export function findOfferingCurrency(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<{ currency: string }>(
    sql`select currency from cell.offering where tenant_id = ${tenantId} and id = ${offeringId}`,
  )
}

/** Corrects the tenant's sums to what its events add up to. See the function in the migration. */
export async function rebuildSums(tx: Transaction): Promise<{ fromDay: string | null; corrected: number }> {
  // Statements of requests time out after seconds; this one reads the events of 30 days.
  await tx.rows(sql`set local statement_timeout = '30min'`)
  const rebuilt = await tx.row<{ fromDay: string | null; corrected: number }>(sql`
    select from_day::text as "fromDay", corrected::int as corrected from cell.rebuild_sums()`)
  if (!rebuilt) throw new Error('the sums were not rebuilt')
  return rebuilt
}
