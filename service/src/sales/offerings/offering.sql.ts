import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { offeringTypes, visibleOfferingStatuses } from './offering.schema.ts'

export interface OfferingKey {
  tenantId: string
  offeringId: string
}

export interface OfferingSummaryRow {
  offeringId: string
  offeringName: string
  symbol: string
  blockchain: string
  tokenizationPlatform: string
  decimals: number
  offeringType: (typeof offeringTypes)[number]
  pricePerToken: string
}

export interface OfferingRow extends OfferingSummaryRow {
  status: (typeof visibleOfferingStatuses)[number] | 'PAUSED'
  currency: string
  logo: string
  tokenAddress: string | null
  totalUnits: string
  availableUnits: string
  minUnits: string | null
  maxUnits: string | null
  opensAt: Date | null
  closesAt: Date | null
}

/** Columns of an OfferingSummaryRow, for statements that join the offering. */
export const offeringSummaryColumns: Sql = sql`
  offering.id as "offeringId", offering.name as "offeringName", offering.symbol, offering.blockchain,
  offering.tokenization_platform as "tokenizationPlatform", offering.decimals, offering.type as "offeringType",
  trim_scale(offering.price_per_token)::text as "pricePerToken"`

/** Columns of an OfferingRow, which integrators see. */
export const offeringColumns: Sql = sql`
  ${offeringSummaryColumns}, offering.status, offering.currency, offering.logo,
  case when offering.token_deployed_at is not null then offering.token_address end as "tokenAddress",
  offering.total_units::text as "totalUnits",
  (offering.total_units - offering.reserved_units - offering.issued_units)::text as "availableUnits",
  offering.min_units::text as "minUnits", offering.max_units::text as "maxUnits", offering.opens_at as "opensAt",
  offering.closes_at as "closesAt"`

/** Finds an offering that is not a draft. */
export function findVisibleOffering(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<OfferingRow>(sql`
    select ${offeringColumns} from cell.offering
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.status <> 'DRAFT'`)
}

export async function countVisibleOfferings(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: string }>(
    sql`select offering_count as count from cell.tenant where id = ${tenantId}`,
  )
  return Number(found?.count ?? 0)
}

export function selectVisibleOfferings(tx: Transaction, tenantId: string, page: Page): Promise<OfferingRow[]> {
  const count = sql`(select offering_count from cell.tenant where id = ${tenantId})`
  const { where, orderBy } = pageCut(sql`offering.position`, count, page)
  return tx.rows<OfferingRow>(sql`
    select ${offeringColumns} from cell.offering
    where offering.tenant_id = ${tenantId} and ${where} order by ${orderBy}`)
}

/** Returns the summary of an offering that is not a draft, with its number of orders. */
export function findOfferingWithOrderCount(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<OfferingSummaryRow & { count: string }>(sql`
    select ${offeringSummaryColumns}, offering.order_count as count from cell.offering
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.status <> 'DRAFT'`)
}
