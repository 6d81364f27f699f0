import type { Static } from 'typebox'
import { viewOf } from '../../platform/api/declare/view-of.ts'
import { AccountEntitlement } from './entitlement.schema.ts'
import type { EntitlementRow } from './entitlement.sql.ts'

/** Columns of the amounts of an entitlement. */
export const entitlementAmounts = { gross_amount: 'gross', withheld_amount: 'withheld', net_amount: 'net' } as const

const viewMembers = viewOf(AccountEntitlement, entitlementAmounts)

export function viewAccountEntitlement(row: EntitlementRow): Static<typeof AccountEntitlement> {
  const { status } = row
  if (status === 'set_apart') throw new Error('an entitlement that is set apart has no account')
  return viewMembers({ ...row, status })
}
