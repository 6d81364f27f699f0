import { validationFailed } from '../../platform/api/errors/errors.ts'

export const kycOutcomes = ['approved', 'rejected'] as const
export const applicantTypes = ['individual', 'company'] as const
export type KycOutcome = (typeof kycOutcomes)[number]

/** Reasons why an approval waits and cannot be accepted. */
export const holdReasons = ['level_not_listed', 'other_applicant_type'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Content of a provider's notification about an account, whatever its format. */
export interface KycResult {
  /** The provider's name for this result. The same result always has the same reference. */
  readonly reference: string
  /** Provider's name for the level of the review; null if the provider has no levels. */
  readonly level: string | null
  readonly applicantType: (typeof applicantTypes)[number] | null
  /** Not verified: the id may be of another system that uses the same provider. */
  readonly accountId: string
  readonly outcome: KycOutcome
  /** For a rejection: true if the investor may not retry. */
  readonly isFinal: boolean
  readonly decidedAt: Date
  /** Null if the provider does not say. */
  readonly validUntil: Date | null
}

/**
 * Rejects a time in the future: such a result would make every later one look late. A few minutes allow for clocks that
 * differ.
 */
export function requirePast(decidedAt: Date, now: Date, pointer: string): void {
  if (decidedAt.getTime() <= now.getTime() + clockSkewMs) return
  const detail = `The member ${pointer.slice(1).replaceAll('/', '.')} must not be in the future.`
  throw validationFailed([{ detail, pointer }])
}

const clockSkewMs = 5 * 60_000
