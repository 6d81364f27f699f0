import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { offeringTypes, visibleOfferingStatuses } from './offering.schema.ts'

export interface OfferingRow {
  id: string
  name: string
  symbol: string
  blockchain: string
  tokenizationPlatform: string
  decimals: number
  type: (typeof offeringTypes)[number]
  pricePerToken: string
  status: (typeof visibleOfferingStatuses)[number]
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

/** An offering that integrators may see: not a draft. */
export function findVisibleOffering(
  tx: Transaction,
  { tenantId, offeringId }: { tenantId: string; offeringId: string },
): Promise<OfferingRow | undefined> {
  return tx.row<OfferingRow>(sql`
    select id, name, symbol, blockchain, tokenization_platform as "tokenizationPlatform", decimals, type,
           trim_scale(price_per_token)::text as "pricePerToken", status, currency, logo,
           token_address as "tokenAddress", total_units::text as "totalUnits",
           (total_units - reserved_units - issued_units)::text as "availableUnits",
           min_units::text as "minUnits", max_units::text as "maxUnits", opens_at as "opensAt", closes_at as "closesAt"
    from cell.offering
    where tenant_id = ${tenantId} and id = ${offeringId} and status <> 'DRAFT'`)
}

export interface NewOffering {
  tenantId: string
  offeringId: string
  name: string
  symbol: string
  blockchain: string
  tokenizationPlatform: string
  decimals: number
  type: (typeof offeringTypes)[number]
  pricePerToken: string
  status: 'DRAFT' | 'OPEN'
  currency: string
  totalUnits: string
}

export async function insertOffering(tx: Transaction, offering: NewOffering): Promise<void> {
  await tx.rows(sql`
    insert into cell.offering (tenant_id, id, name, symbol, blockchain, tokenization_platform, decimals, type,
                               price_per_token, status, currency, total_units)
    values (${offering.tenantId}, ${offering.offeringId}, ${offering.name}, ${offering.symbol}, ${offering.blockchain},
            ${offering.tokenizationPlatform}, ${offering.decimals}, ${offering.type}, ${offering.pricePerToken},
            ${offering.status}, ${offering.currency}, ${offering.totalUnits})`)
}
