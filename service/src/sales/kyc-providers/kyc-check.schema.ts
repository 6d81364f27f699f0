import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { applicantTypes, holdReasons, kycOutcomes } from './kyc-result.ts'

export const kycCheckStatuses = ['queued', 'applied', 'dismissed', 'outdated'] as const
export const approvalKinds = ['kyc', 'kyb'] as const

export const KycCheckPath = Type.Object({ checkId: Uuid('The KYC check.') })

export const KycCheck = Named('KycCheck', {
  id: Uuid('The KYC check.'),
  provider_id: Uuid('The KYC provider.'),
  provider_name: Type.String({ examples: ['acme-id'] }),
  account_id: Uuid('The account.'),
  account_name: Type.String({ examples: ['Ada Lovelace'] }),
  kind: Type.Enum(approvalKinds, { description: 'Which status of the account it is about.' }),
  outcome: Type.Enum(kycOutcomes, { description: 'What the provider decided.' }),
  is_final: Type.Boolean({
    description: 'Of a rejection: whether the investor cannot try again.',
    examples: [false],
  }),
  status: Type.Enum(kycCheckStatuses, {
    description:
      '`queued`: it waits for an operator. `applied`: the account got the status. `dismissed`: an operator did not ' +
      'follow it. `outdated`: there was a newer decision when it arrived, or a newer one replaced it.',
  }),
  status_changed_at: Timestamp('Since when it has this status.'),
  decided_at: Timestamp('When the provider decided, by its clock.'),
  received_at: Timestamp('When the notification arrived.'),
  level_name: orNull(Type.String({ description: 'The level of the review. Null: the provider has none.' }), {
    examples: ['id-and-liveness'],
  }),
  applicant_type: orNull(Type.Enum(applicantTypes, { description: 'Whom the provider has checked.' }), {
    examples: ['individual'],
  }),
  held_because: orNull(
    Type.Enum(holdReasons, {
      description:
        'Why an approval waits and cannot be accepted. `level_not_listed`: reviews of its level approve nothing. ' +
        '`other_applicant_type`: it is about a person and the account is a company, or vice versa.',
    }),
    { examples: [null], description: 'Null: it counts.' },
  ),
  valid_until: orNull(Timestamp('Until when an approval is valid. Null: without end.')),
})

export const KycCheckDecision = Named('KycCheckDecision', {
  reason: Text(1, 1000, {
    description: 'The reason for the audit log. Must not contain personal data.',
    examples: ['Same person as in the register.'],
  }),
})

export const RevealedKycCheck = Named('RevealedKycCheck', {
  id: Uuid('The KYC check.'),
  details: Type.Unknown({
    description: 'What the provider said, in its own format. Null once the account is erased.',
    examples: [{ type: 'kyc.decided', data: { outcome: 'approved', checks: [{ name: 'passport', result: 'ok' }] } }],
  }),
})
