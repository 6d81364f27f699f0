import { Type } from 'typebox'
import {
  GeneratedSecret,
  membersOfKind,
  PreviousSecretEndsAt,
  ProviderCreatedAt,
  ProviderDisabledAt,
} from '../../access/providers/provider.schema.ts'
import { Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Secret } from '../../platform/api/declare/masked.ts'

export const kycProviderKinds = ['sumsub', 'standard'] as const
export const approvalHandlings = ['apply', 'queue'] as const

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

export const NewKycProvider = Named(
  'NewKycProvider',
  {
    kind: Kind,
    name: Name,
    approvals: Type.Optional(Type.Enum(approvalHandlings, { default: 'queue' })),
    validity_days: Type.Optional(ValidityDays),
    ...newLevels,
    secret: Type.Optional(SumsubSecret),
  },
  {
    allOf: [
      membersOfKind('sumsub', { required: ['secret'] }),
      membersOfKind('standard', { properties: { secret: false, kyc_levels: false, kyb_levels: false } }),
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

export const KycProviderChange = Named(
  'KycProviderChange',
  { approvals: Type.Optional(Approvals), validity_days: Type.Optional(ValidityDays), ...newLevels },
  {
    minProperties: 1,
    'x-meaning': 'have approvals, validity_days, kyc_levels or kyb_levels',
  },
)

export const KycProviderRotation = Named('KycProviderRotation', { secret: Type.Optional(SumsubSecret) })

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
  previous_secret_ends_at: PreviousSecretEndsAt,
  created_at: ProviderCreatedAt,
  last_result_at: orNull(Timestamp('When it last reported a result. Null: never.')),
  disabled_at: ProviderDisabledAt,
}

export const KycProvider = Named('KycProvider', members)

export const KycProviderWithSecret = Named(
  'KycProviderWithSecret',
  { ...members, secret: GeneratedSecret },
  { description: 'The secret is null for `sumsub`, because Sumsub shows it.' },
)
