import type { ApprovalKind } from './kyc-check.sql.ts'
import type { KycProviderRow } from './kyc-provider.sql.ts'
import type { HoldReason, KycResult } from './kyc-result.ts'

/**
 * Returns why an approval does not count for this status of an account; null if it counts. A level of Sumsub may check
 * a phone number only, and a review of a person says nothing about the company that they act for. The adapter of a
 * standard provider decides itself what it reports as an approval.
 */
export function whyNotCounting(
  kind: ApprovalKind,
  { outcome, level, applicantType }: Pick<KycResult, 'outcome' | 'level' | 'applicantType'>,
  provider: Pick<KycProviderRow, 'kind' | 'kycLevels' | 'kybLevels'>,
): HoldReason | null {
  if (provider.kind === 'standard' || outcome === 'rejected') return null
  if (applicantType !== (kind === 'kyb' ? 'company' : 'individual')) return 'other_applicant_type'
  const levels = kind === 'kyb' ? provider.kybLevels : provider.kycLevels
  return level !== null && levels.includes(level) ? null : 'level_not_listed'
}
