import type { ApprovalStatus } from '../accounts/account.sql.ts'
import type { kycCheckStatuses } from './kyc-check.schema.ts'
import type { approvalHandlings } from './kyc-provider.schema.ts'
import type { KycResult } from './kyc-result.ts'

export type KycCheckStatus = (typeof kycCheckStatuses)[number]

/** Facts about the account when a result arrives. The account is locked. */
export interface KnownDecisions {
  readonly accountStatus: ApprovalStatus
  /** Time at which the status of the account was last decided; null if never. */
  readonly statusDecidedAt: Date | null
  /** Time of the latest decision among all results that have arrived; null if there is none. */
  readonly lastCheckDecidedAt: Date | null
  /** True if a final rejection waits for an operator. */
  readonly isFinalRejectionQueued: boolean
}

/** Decides the effect of a new result: it sets the status of the account, waits for an operator, or does nothing. */
export function statusOfNewCheck(
  result: Pick<KycResult, 'outcome' | 'decidedAt' | 'validUntil'>,
  known: KnownDecisions,
  { approvals, now }: { approvals: (typeof approvalHandlings)[number]; now: Date },
): Exclude<KycCheckStatus, 'dismissed'> {
  const isRejection = result.outcome === 'rejected'
  if (isLate(result, known.lastCheckDecidedAt)) return 'outdated'
  if (isLate(result, known.statusDecidedAt))
    // NEW and PENDING ask for a new check. A person judges a result that was decided before they were set.
    return isUndecided(known.accountStatus) ? 'queued' : 'outdated'
  if (!isRejection && result.validUntil && result.validUntil <= now) return 'outdated'
  if (isRejection || approvals === 'queue' || known.isFinalRejectionQueued) return 'queued'
  // A person rejected or deactivated the account: only a person may approve it again.
  return isUndecided(known.accountStatus) || known.accountStatus === 'APPROVED' ? 'applied' : 'queued'
}

/** Returns true if a later decision exists. Of two at the same time, the rejection counts. */
function isLate({ outcome, decidedAt }: Pick<KycResult, 'outcome' | 'decidedAt'>, last: Date | null): boolean {
  if (last === null) return false
  return outcome === 'rejected' ? decidedAt < last : decidedAt <= last
}

function isUndecided(status: ApprovalStatus): boolean {
  return status === 'NEW' || status === 'PENDING'
}
