import type { EnteredBankAccount } from '../money/payouts/transfer.ts'
import { allOf, type CreatedRange, countedPage, isCreatedWithin, isEqual } from '../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../platform/api/declare/row-fingerprint.sql.ts'
import type { Money } from '../platform/base/money.ts'
import { readMinor, readMoney } from '../platform/postgres/read-money.ts'
import { type Sql, sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { distributionKinds } from '../sales/entitlements/entitlement.schema.ts'
import type { DistributionStatus } from './distribution-status.ts'

export interface DistributionKey {
  tenantId: string
  distributionId: string
}

/** The terms that an operator sets for a distribution. */
export interface DistributionTerms {
  kind: (typeof distributionKinds)[number]
  recordAt: Date
  payOn: string
  currency: string
  /** A decimal or a fraction for each whole token, or null if the total is given. */
  ratePerToken: string | null
  totalAmount: Money | null
  sourceAccount: EnteredBankAccount
  /** Percent by country. */
  withholding: Readonly<Record<string, string>>
}

export interface DistributionRow extends DistributionTerms {
  id: string
  offeringId: string
  offeringName: string
  decimals: number
  status: DistributionStatus
  scheduleId: string | null
  periodNumber: number | null
  recordBlock: string | null
  supply: string | null
  unitsSum: string
  failure: string | null
  cursor: string | null
  /** Null until it is calculated. */
  total: Money | null
  gross: Money
  withheld: Money
  apart: Money
  holderCount: number
  apartCount: number
  isFiling: boolean
  fileCount: number
  createdAt: Date
  calculatedAt: Date | null
  approvedAt: Date | null
  payingAt: Date | null
  closedAt: Date | null
}

const columns: Sql = sql`
  distribution.id, distribution.offering_id as "offeringId", offering.name as "offeringName", offering.decimals,
  distribution.kind, distribution.status, distribution.record_at as "recordAt", distribution.pay_on::text as "payOn",
  distribution.currency, distribution.rate_per_token as "ratePerToken",
  distribution.total_amount::text as "totalAmount", distribution.source_account as "sourceAccount",
  distribution.withholding, distribution.schedule_id as "scheduleId", distribution.period_number as "periodNumber",
  distribution.record_block::text as "recordBlock", distribution.supply::text as supply,
  distribution.units_sum::text as "unitsSum", distribution.failure, distribution.cursor,
  distribution.total_minor::text as total, distribution.gross_minor::text as gross,
  distribution.withheld_minor::text as withheld, distribution.apart_minor::text as apart,
  distribution.holder_count as "holderCount", distribution.apart_count as "apartCount",
  distribution.is_filing as "isFiling", distribution.file_count as "fileCount",
  distribution.created_at as "createdAt", distribution.calculated_at as "calculatedAt",
  distribution.approved_at as "approvedAt", distribution.paying_at as "payingAt",
  distribution.closed_at as "closedAt"`

const readMinors = readMinor('total', 'gross', 'withheld', 'apart')
const readTotal = readMoney('totalAmount')

function readAmounts<Found>(found: Found): Found {
  return readMinors(readTotal(found))
}

const joinOffering: Sql = sql`
  join cell.offering on offering.tenant_id = distribution.tenant_id and offering.id = distribution.offering_id`

/** Returns false if the schedule has drafted this period before. */
export async function insertDistribution(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  draft: DistributionTerms & { offeringId: string; now: Date; scheduleId?: string; periodNumber?: number },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.distribution (tenant_id, id, offering_id, kind, record_at, pay_on, currency, rate_per_token,
                                   total_amount, source_account, withholding, schedule_id, period_number, created_at)
    values (${tenantId}, ${distributionId}, ${draft.offeringId}, ${draft.kind}, ${draft.recordAt}, ${draft.payOn},
            ${draft.currency}, ${draft.ratePerToken}, ${draft.totalAmount}, ${JSON.stringify(draft.sourceAccount)},
            ${JSON.stringify(draft.withholding)}, ${draft.scheduleId ?? null}, ${draft.periodNumber ?? null},
            ${draft.now})
    on conflict do nothing returning id`)
  return inserted !== undefined
}

export function findDistribution(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
): Promise<DistributionRow | undefined> {
  return tx
    .row<DistributionRow>(sql`
    select ${columns} from cell.distribution ${joinOffering}
    where distribution.tenant_id = ${tenantId} and distribution.id = ${distributionId}`)
    .then(readAmounts)
}

export function lockDistribution(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
): Promise<DistributionRow | undefined> {
  return tx
    .row<DistributionRow>(sql`
    select ${columns} from cell.distribution ${joinOffering}
    where distribution.tenant_id = ${tenantId} and distribution.id = ${distributionId}
    for no key update of distribution`)
    .then(readAmounts)
}

/** Any change of the row voids its open proposals. Entitlements need no version: they change only when calculated. */
export const distributionFingerprint = rowFingerprint(sql`cell.distribution`)

/** Stores new terms and voids the calculation for the old ones. The caller has locked the row. */
export async function updateTerms(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  terms: DistributionTerms,
): Promise<void> {
  await tx.rows(sql`
    update cell.distribution
    set kind = ${terms.kind}, record_at = ${terms.recordAt}, pay_on = ${terms.payOn}, currency = ${terms.currency},
        rate_per_token = ${terms.ratePerToken}, total_amount = ${terms.totalAmount},
        source_account = ${JSON.stringify(terms.sourceAccount)}, withholding = ${JSON.stringify(terms.withholding)},
        status = 'DRAFT', calculated_at = null, approved_at = null, failure = null, cursor = null, gross_minor = 0,
        withheld_minor = 0, apart_minor = 0, holder_count = 0, apart_count = 0
    where tenant_id = ${tenantId} and id = ${distributionId}`)
}

export interface DistributionFilter extends CreatedRange {
  status?: readonly string[] | undefined
  offering_id?: string | undefined
}

export function pageOfDistributions(tx: Transaction, tenantId: string, filter: DistributionFilter, page: KeysetPage) {
  return countedPage<DistributionRow>(tx, page, {
    columns,
    from: sql`cell.distribution`,
    joins: joinOffering,
    where: allOf([
      sql`distribution.tenant_id = ${tenantId}`,
      isEqual(sql`distribution.offering_id`, filter.offering_id),
      isCreatedWithin(sql`distribution.id`, sql`distribution.created_at`, filter),
    ]),
    id: sql`distribution.id`,
    filter: { column: sql`distribution.status`, values: filter.status },
    read: readAmounts,
  })
}
