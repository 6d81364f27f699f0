import type { Static } from 'typebox'
import { camelColumns, viewOf } from '../../platform/api/declare/view-of.ts'
import { Offering, OfferingSummary } from './offering.schema.ts'
import type { OfferingRow } from './offering.sql.ts'

/** Column of each member. Lists that write rows as they come use it too. */
export const offeringSummaryMembers = {
  ...camelColumns(OfferingSummary),
  id: 'offeringId',
  name: 'offeringName',
  type: 'offeringType',
} as const

export const viewOfferingSummary = viewOf(OfferingSummary, offeringSummaryMembers)

const viewVisibleOffering = viewOf(Offering, offeringSummaryMembers)

/** Integrators have no third status: a paused offering sells as little as a closed one. */
export function viewOffering(row: OfferingRow): Static<typeof Offering> {
  return viewVisibleOffering({ ...row, status: row.status === 'PAUSED' ? 'CLOSED' : row.status })
}
