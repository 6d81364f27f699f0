import type { Static } from 'typebox'
import type { Offering, OfferingSummary } from './offering.schema.ts'
import type { OfferingRow, OfferingSummaryRow } from './offering.sql.ts'

export function viewOfferingSummary(row: OfferingSummaryRow): Static<typeof OfferingSummary> {
  return {
    id: row.offeringId,
    name: row.offeringName,
    symbol: row.symbol,
    blockchain: row.blockchain,
    tokenization_platform: row.tokenizationPlatform,
    decimals: row.decimals,
    type: row.offeringType,
    price_per_token: row.pricePerToken,
  }
}

/** Column of each member, for lists that write rows as they come. */
export const offeringSummaryMembers = {
  id: 'offeringId',
  name: 'offeringName',
  symbol: 'symbol',
  blockchain: 'blockchain',
  tokenization_platform: 'tokenizationPlatform',
  decimals: 'decimals',
  type: 'offeringType',
  price_per_token: 'pricePerToken',
} as const

export function viewOffering(row: OfferingRow): Static<typeof Offering> {
  return {
    ...viewOfferingSummary(row),
    // Integrators have no third status: a paused offering sells as little as a closed one.
    status: row.status === 'PAUSED' ? 'CLOSED' : row.status,
    currency: row.currency,
    logo: row.logo,
    token_address: row.tokenAddress,
    total_units: row.totalUnits,
    available_units: row.availableUnits,
    min_units: row.minUnits,
    max_units: row.maxUnits,
    opens_at: row.opensAt?.toISOString() ?? null,
    closes_at: row.closesAt?.toISOString() ?? null,
  }
}
