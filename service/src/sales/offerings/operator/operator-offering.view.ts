import { viewOf } from '../../../platform/api/declare/view-of.ts'
import { offeringSummaryMembers } from '../offering.view.ts'
import type { OfferingTerms } from './offering-terms.ts'
import { NewOffering, OperatorOffering } from './operator-offering.schema.ts'
import type { OperatorOfferingRow } from './operator-offering.sql.ts'

export const viewOperatorOffering = viewOf(OperatorOffering, offeringSummaryMembers)

/** Returns the members of an offering that an operator sets. */
export function termsOf(row: OperatorOfferingRow): OfferingTerms {
  const members = Object.entries(viewOperatorOffering(row))
  return Object.fromEntries(members.filter(([name]) => Object.hasOwn(NewOffering.properties, name))) as OfferingTerms
}
