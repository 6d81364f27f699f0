import { type Static, Type } from 'typebox'
import { Closed, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import { type KycResult, kycOutcomes, requirePast } from './kyc-result.ts'

const Check = Closed({ name: Text(1, 100), result: Text(1, 100) })

const KycDecided = Closed({
  type: Type.Literal('kyc.decided'),
  timestamp: Timestamp('When the provider sent the notification.'),
  data: Closed({
    reference: Text(1, 150),
    account_id: Uuid('The account.'),
    outcome: Type.Enum(kycOutcomes),
    is_final: Type.Optional(Type.Boolean()),
    decided_at: Timestamp('When the provider decided.'),
    valid_until: Type.Optional(Timestamp('Until when the approval is valid.')),
    checks: Type.Optional(Type.Array(Check, { maxItems: 100 })),
  }),
})
type KycDecided = Static<typeof KycDecided>

const validate = bodyValidator(KycDecided)

/** Returns the result that the notification reports, or undefined for other types of notification. */
export function readStandardKycNotification(
  notification: { type: string },
  { now }: { now: Date },
): KycResult | undefined {
  if (notification.type !== 'kyc.decided') return undefined
  const failures = validate(notification)
  if (failures.length > 0) throw validationFailed(failures)
  const { data } = notification as KycDecided
  const decidedAt = new Date(data.decided_at)
  requirePast(decidedAt, now, '/data/decided_at')
  return {
    reference: data.reference,
    level: null,
    applicantType: null,
    accountId: data.account_id.toLowerCase(),
    outcome: data.outcome,
    isFinal: data.outcome === 'rejected' && data.is_final === true,
    decidedAt,
    validUntil: data.valid_until === undefined ? null : new Date(data.valid_until),
  }
}
