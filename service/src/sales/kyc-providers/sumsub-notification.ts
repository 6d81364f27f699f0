import { type Static, Type } from 'typebox'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import { kycProviderErrors } from './kyc-provider.errors.ts'
import { levelLengthMax } from './kyc-provider.schema.ts'
import { applicantTypes, type KycResult, requirePast } from './kyc-result.ts'

/** Members of Sumsub's webhook that we read. It has many more, and Sumsub may add others. */
const ApplicantReviewed = Type.Object({
  type: Type.Literal('applicantReviewed'),
  applicantId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$', 'x-meaning': 'be the id of an applicant' }),
  externalUserId: Type.String({ minLength: 1, maxLength: 500 }),
  // Absent in notifications of old webhooks, which do not say what was checked.
  levelName: Type.Optional(Type.String({ minLength: 1, maxLength: levelLengthMax })),
  applicantType: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  sandboxMode: Type.Boolean(),
  createdAtMs: Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}$',
    'x-meaning': 'be a time of Sumsub, such as 2026-07-02 10:00:00.000',
  }),
  reviewResult: Type.Object({
    reviewAnswer: Type.Enum(['GREEN', 'YELLOW', 'RED'] as const),
    reviewRejectType: Type.Optional(Type.Enum(['FINAL', 'RETRY'] as const)),
  }),
})
type ApplicantReviewed = Static<typeof ApplicantReviewed>

const validate = bodyValidator(ApplicantReviewed)

/**
 * Returns the result that Sumsub reports, or undefined for all other types, which we ignore. Everything but GREEN
 * counts as a rejection, which an operator decides. Throws for a sandbox result in live, which would approve an
 * investor without a check, and for a real one elsewhere.
 */
export function readSumsubNotification(
  notification: { type: string },
  { isLive, now }: { isLive: boolean; now: Date },
): KycResult | undefined {
  if (notification.type !== 'applicantReviewed') return undefined
  const failures = validate(notification)
  if (failures.length > 0) throw validationFailed(failures)
  const { applicantId, externalUserId, levelName, applicantType, sandboxMode, createdAtMs, reviewResult } =
    notification as unknown as ApplicantReviewed
  if (sandboxMode === isLive)
    throw new ApiError(
      kycProviderErrors.kyc_mode_mismatch,
      isLive
        ? 'This environment accepts real checks only: sandboxMode must be false.'
        : 'This environment accepts checks of the sandbox only: sandboxMode must be true.',
    )
  const decidedAt = new Date(`${createdAtMs.replace(' ', 'T')}Z`)
  if (Number.isNaN(decidedAt.getTime()))
    throw validationFailed([{ detail: 'The member createdAtMs must be a valid time.', pointer: '/createdAtMs' }])
  requirePast(decidedAt, now, '/createdAtMs')
  const isApproved = reviewResult.reviewAnswer === 'GREEN'
  return {
    // An applicant is reviewed again after each new document; Sumsub sends the same review again with the same time.
    reference: `${applicantId}/${createdAtMs}`,
    level: levelName ?? null,
    applicantType: applicantTypes.find((known) => known === applicantType) ?? null,
    accountId: externalUserId.toLowerCase(),
    outcome: isApproved ? 'approved' : 'rejected',
    isFinal: !isApproved && reviewResult.reviewRejectType === 'FINAL',
    decidedAt,
    validUntil: null,
  }
}
