import type { Static } from 'typebox'
import { viewEntitlementMembers } from '../sales/entitlements/entitlement.view.ts'
import type { Distribution, DistributionEntitlement } from './distribution.schema.ts'
import type { DistributionRow } from './distribution.sql.ts'
import type { ListedEntitlementRow } from './distribution-entitlement.sql.ts'

export function viewDistribution(row: DistributionRow): Static<typeof Distribution> {
  const total = row.calculatedAt === null ? null : row.total
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
    total_amount: row.totalAmount?.toString() ?? null,
    source_account: row.sourceAccount,
    withholding: Object.entries(row.withholding).map(([country, percent]) => ({ country, percent })),
    schedule_id: row.scheduleId,
    period_number: row.periodNumber,
    record_block: row.recordBlock,
    supply: row.supply,
    holders: row.holderCount,
    holders_without_account: row.apartCount,
    amount: total?.toString() ?? null,
    gross_amount: row.gross.toString(),
    withheld_amount: row.withheld.toString(),
    set_apart_amount: row.apart.toString(),
    remainder: total?.minus(row.gross).toString() ?? null,
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
