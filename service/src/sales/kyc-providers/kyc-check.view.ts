import type { Static } from 'typebox'
import type { KycCheck } from './kyc-check.schema.ts'
import type { NamedKycCheckRow } from './kyc-check.sql.ts'

export function viewKycCheck(row: NamedKycCheckRow): Static<typeof KycCheck> {
  return {
    id: row.id,
    provider_id: row.providerId,
    provider_name: row.providerName,
    account_id: row.accountId,
    account_name: row.accountName,
    kind: row.kind,
    outcome: row.outcome,
    is_final: row.isFinal,
    status: row.status,
    status_changed_at: row.statusChangedAt.toISOString(),
    decided_at: row.decidedAt.toISOString(),
    received_at: row.receivedAt.toISOString(),
    level_name: row.level,
    applicant_type: row.applicantType,
    held_because: row.heldBecause,
    valid_until: row.validUntil?.toISOString() ?? null,
  }
}

/** Encryption context of the provider's details. */
export function kycDetailsContext(checkId: string): string {
  return `kyc check ${checkId} details`
}
