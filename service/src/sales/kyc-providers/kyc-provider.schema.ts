import { Type } from 'typebox'
import { orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Secret } from '../../platform/api/declare/masked.ts'

export const kycProviderKinds = ['sumsub', 'standard'] as const
export const approvalHandlings = ['apply', 'queue'] as const

const closed = { additionalProperties: false }

export const KycProviderPath = Type.Object({ kycProviderId: Uuid('The KYC provider.') })

const Kind = Type.Enum(kycProviderKinds, {
  description:
    '`sumsub`: Sumsub, with its own signature scheme. `standard`: any other provider, which signs as Standard ' +
    'Webhooks specifies.',
})
const Name = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,39}$',
  'x-meaning': 'be at most 40 lower-case letters, digits and dashes, and begin with a letter',
  description: 'What operators call the provider.',
  examples: ['acme-id'],
})
const Approvals = Type.Enum(approvalHandlings, {
  description:
    '`apply`: an approval by the provider approves the account. `queue`: an operator decides. Rejections always wait ' +
    'for an operator, and so do approvals of accounts that are REJECTED or DEACTIVATED.',
})
const ValidityDays = orNull(
  Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'How many days an approval is valid at most. Then the account becomes PENDING again.',
    examples: [730],
  }),
  { description: 'Null: as long as the provider says.' },
)
export const levelLengthMax = 200
const levelsOf = (description: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: levelLengthMax, examples: [example] }), {
    maxItems: 20,
    uniqueItems: true,
    description: `Only for \`sumsub\`: ${description} Exact names, as Sumsub shows them. Empty: none.`,
    examples: [[example]],
  })
const levels = {
  kyc_levels: levelsOf(
    'the levels whose reviews approve the KYC of a natural person (`applicantType` is `individual`).',
    'id-and-liveness',
  ),
  kyb_levels: levelsOf(
    'the levels whose reviews approve the KYB of a company (`applicantType` is `company`).',
    'company-and-owners',
  ),
}
const newLevels = { kyc_levels: Type.Optional(levels.kyc_levels), kyb_levels: Type.Optional(levels.kyb_levels) }

const SumsubSecret = Secret({
  pattern: '^[\\x21-\\x7e]{8,200}$',
  'x-meaning': 'be the secret key of the webhook as Sumsub shows it, at least 8 characters without spaces',
  description: 'Only for `sumsub`: the secret key of the webhook. For `standard`, the service generates the secret.',
  examples: ['sumsub-webhook-secret-0123456789'],
})

export const NewKycProvider = Type.Object(
  {
    kind: Kind,
    name: Name,
    approvals: Type.Optional(Type.Enum(approvalHandlings, { default: 'queue' })),
    validity_days: Type.Optional(ValidityDays),
    ...newLevels,
    secret: Type.Optional(SumsubSecret),
  },
  {
    ...closed,
    title: 'NewKycProvider',
    allOf: [
      {
        if: { required: ['kind'], properties: { kind: { const: 'sumsub' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
        then: { required: ['secret'] },
      },
      {
        if: { required: ['kind'], properties: { kind: { const: 'standard' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
        then: { properties: { secret: false, kyc_levels: false, kyb_levels: false } },
      },
    ],
  },
)

export const newKycProviderExamples = {
  standard: { kind: 'standard', name: 'acme-id', approvals: 'queue', validity_days: 730 },
  sumsub: {
    kind: 'sumsub',
    name: 'sumsub',
    approvals: 'apply',
    kyc_levels: ['id-and-liveness'],
    kyb_levels: ['company-and-owners'],
    secret: 'sumsub-webhook-secret-0123456789',
  },
}

export const KycProviderChange = Type.Object(
  { approvals: Type.Optional(Approvals), validity_days: Type.Optional(ValidityDays), ...newLevels },
  {
    ...closed,
    title: 'KycProviderChange',
    minProperties: 1,
    'x-meaning': 'have approvals, validity_days, kyc_levels or kyb_levels',
  },
)

export const KycProviderRotation = Type.Object(
  { secret: Type.Optional(SumsubSecret) },
  { ...closed, title: 'KycProviderRotation' },
)

const members = {
  id: Uuid('The KYC provider.'),
  kind: Kind,
  name: Name,
  approvals: Approvals,
  validity_days: ValidityDays,
  ...levels,
  notification_path: Type.String({
    description: "The path for the provider's notifications, on the host of the integrator API.",
    examples: ['/api/kyc-notifications/019f2245-6100-7abc-8def-0123456789ab'],
  }),
  previous_secret_ends_at: orNull(Timestamp('Until when the secret before the newest one is also accepted.'), {
    examples: [null],
  }),
  created_at: Timestamp('When the provider was created.'),
  last_result_at: orNull(Timestamp('When it last reported a result. Null: never.')),
  disabled_at: orNull(Timestamp("Since when the provider's notifications are rejected."), { examples: [null] }),
}

export const KycProvider = Type.Object(members, { ...closed, title: 'KycProvider' })

export const KycProviderWithSecret = Type.Object(
  {
    ...members,
    secret: orNull(
      Type.String({ description: 'The signing secret, shown only once.', examples: ['whsec_shown-this-once'] }),
    ),
  },
  {
    ...closed,
    title: 'KycProviderWithSecret',
    description: 'The secret is null for `sumsub`, because Sumsub shows it.',
  },
)
