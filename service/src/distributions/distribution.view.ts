import type { Static } from 'typebox'
import { viewOf } from '../platform/api/declare/view-of.ts'
import { entitlementAmounts } from '../sales/entitlements/entitlement.view.ts'
import { type Distribution, DistributionEntitlement, DistributionFile } from './distribution.schema.ts'
import type { DistributionRow } from './distribution.sql.ts'

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

export const viewDistributionEntitlement = viewOf(DistributionEntitlement, entitlementAmounts)

export const viewDistributionFile = viewOf(DistributionFile, { transfers: 'transferCount' })
