import type { Static } from 'typebox'
import { viewOffering } from '../offering.view.ts'
import type { OfferingTerms } from './offering-terms.ts'
import type { OperatorOffering } from './operator-offering.schema.ts'
import type { OperatorOfferingRow } from './operator-offering.sql.ts'

export function viewOperatorOffering(row: OperatorOfferingRow): Static<typeof OperatorOffering> {
  const { status } = row
  return {
    // The integrator's view does not have the status DRAFT.
    ...viewOffering({ ...row, status: status === 'DRAFT' ? 'OPEN' : status }),
    status,
    names: row.names,
    collection_account: row.collectionAccount,
    approval_required: row.approvalRequired,
    acceptance_required: row.acceptanceRequired,
    payment_term_days: row.paymentTermDays,
    payment_tolerance: row.paymentTolerance,
    soft_cap_units: row.softCapUnits,
    soft_cap_amount: row.softCapAmount,
    funded_units: row.fundedUnits,
    funded_amount: row.fundedAmount,
    soft_cap_met_at: row.softCapMetAt?.toISOString() ?? null,
    refund_all_at: row.refundAllAt?.toISOString() ?? null,
    refunded_all_at: row.refundedAllAt?.toISOString() ?? null,
    reserved_units: row.reservedUnits,
    issued_units: row.issuedUnits,
    attached_token_address: row.attachedTokenAddress,
    token_rejection: row.tokenRejection,
    token_cap: row.tokenCap,
    minting_stopped: row.mintingStopped,
    lock_up_until: row.lockUpUntil?.toISOString() ?? null,
    token_enforces_lock_up: row.tokenEnforcesLockUp,
    register: row.register,
    created_at: row.createdAt.toISOString(),
    opened_at: row.openedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
  }
}

/** Returns the members of an offering that an operator sets. */
export function termsOf(row: OperatorOfferingRow): OfferingTerms {
  const {
    id: _id,
    status: _status,
    token_address: _address,
    available_units: _available,
    reserved_units: _reserved,
    funded_units: _fundedUnits,
    funded_amount: _fundedAmount,
    soft_cap_met_at: _softCapMet,
    refund_all_at: _refundAll,
    refunded_all_at: _refundedAll,
    issued_units: _issued,
    attached_token_address: _attached,
    token_rejection: _rejection,
    token_cap: _cap,
    minting_stopped: _stopped,
    lock_up_until: _lockUp,
    token_enforces_lock_up: _enforced,
    register: _register,
    created_at: _created,
    opened_at: _opened,
    closed_at: _closed,
    ...terms
  } = viewOperatorOffering(row)
  return terms
}
