import type { Static } from 'typebox'
import { fromMinorUnits } from '../platform/base/money.ts'
import { viewEntitlementMembers } from '../sales/entitlements/entitlement.view.ts'
import type { Distribution, DistributionEntitlement } from './distribution.schema.ts'
import type { DistributionRow } from './distribution.sql.ts'
import type { ListedEntitlementRow } from './distribution-entitlement.sql.ts'

export function viewDistribution(row: DistributionRow): Static<typeof Distribution> {
  const isCalculated = row.calculatedAt !== null && row.totalMinor !== null
  const amountOf = (minorUnits: string | bigint) => fromMinorUnits(BigInt(minorUnits), row.currency)
  const total = isCalculated ? BigInt(row.totalMinor ?? 0) : null
  return {
    id: row.id,
    offering_id: row.offeringId,
    offering_name: row.offeringName,
    status: row.status,
    kind: row.kind,
    record_at: row.recordAt.toISOString(),
    pay_on: row.payOn,
    currency: row.currency,
    rate_per_token: row.ratePerToken,
    total_amount: row.totalAmount,
    source_account: row.sourceAccount,
    withholding: Object.entries(row.withholding).map(([country, percent]) => ({ country, percent })),
    schedule_id: row.scheduleId,
    period_number: row.periodNumber,
    record_block: row.recordBlock,
    supply: row.supply,
    holders: row.holderCount,
    holders_without_account: row.apartCount,
    amount: total === null ? null : amountOf(total),
    gross_amount: amountOf(row.grossMinor),
    withheld_amount: amountOf(row.withheldMinor),
    set_apart_amount: amountOf(row.apartMinor),
    remainder: total === null ? null : amountOf(total - BigInt(row.grossMinor)),
    failure: row.failure,
    is_filing: row.isFiling,
    files: row.fileCount,
    created_at: row.createdAt.toISOString(),
    calculated_at: row.calculatedAt?.toISOString() ?? null,
    approved_at: row.approvedAt?.toISOString() ?? null,
    paying_at: row.payingAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
  }
}

export function viewDistributionEntitlement(row: ListedEntitlementRow): Static<typeof DistributionEntitlement> {
  return {
    ...viewEntitlementMembers(row),
    account_id: row.accountId,
    account_name: row.accountName,
    country: row.country,
    withholding_percent: row.withholdingPercent,
    status: row.status,
    left_out: row.leftOut,
    failure: row.failure,
    burn_op_id: row.burnOpId,
    changed_at: row.changedAt.toISOString(),
  }
}
