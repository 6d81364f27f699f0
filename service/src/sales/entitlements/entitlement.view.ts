import type { Static } from 'typebox'
import type { AccountEntitlement, entitlementMembers } from './entitlement.schema.ts'
import type { EntitlementRow } from './entitlement.sql.ts'

type Members = { [Name in keyof typeof entitlementMembers]: Static<(typeof entitlementMembers)[Name]> }

export function viewEntitlementMembers(row: EntitlementRow): Members {
  return {
    id: row.id,
    distribution_id: row.distributionId,
    offering_id: row.offeringId,
    kind: row.kind,
    address: row.address,
    units: row.units,
    gross_amount: row.gross.toString(),
    withheld_amount: row.withheld.toString(),
    net_amount: row.net.toString(),
    currency: row.currency,
    record_at: row.recordAt.toISOString(),
    pay_on: row.payOn,
  }
}

export function viewAccountEntitlement(row: EntitlementRow): Static<typeof AccountEntitlement> {
  if (row.status === 'set_apart') throw new Error('an entitlement that is set apart has no account')
  return {
    ...viewEntitlementMembers(row),
    status: row.status,
    failure: row.failure,
    changed_at: row.changedAt.toISOString(),
  }
}
