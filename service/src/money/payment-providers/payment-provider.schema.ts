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

export const providerKinds = ['stripe', 'standard'] as const

export const ProviderPath = Type.Object({ providerId: Uuid('The payment provider.') })

const Kind = Type.Enum(providerKinds, {
  description:
    '`stripe`: Stripe, with its own signature scheme. `standard`: any other provider, which signs as Standard ' +
    'Webhooks specifies.',
})
const StripeSecret = Secret({
  pattern: '^whsec_[A-Za-z0-9+/=_-]{16,200}$',
  'x-meaning': "be the endpoint's signing secret as Stripe shows it, which begins with whsec_",
  description: "Only for `stripe`: the endpoint's signing secret. For `standard`, the service generates the secret.",
  examples: ['whsec_0123456789abcdef0123456789abcdef'],
})

export const NewProvider = Named(
  'NewPaymentProvider',
  {
    kind: Kind,
    name: Type.Optional(
      Type.String({
        pattern: '^(?!stripe$)[a-z][a-z0-9-]{0,39}$',
        'x-meaning': 'be at most 40 lower-case letters, digits and dashes, begin with a letter, and not be stripe',
        description: "Only for `standard`: the prefix of the references of the provider's payments.",
        examples: ['acme-pay'],
      }),
    ),
    secret: Type.Optional(StripeSecret),
  },
  {
    allOf: [
      membersOfKind('stripe', { required: ['secret'], properties: { name: false } }),
      membersOfKind('standard', { required: ['name'], properties: { secret: false } }),
    ],
  },
)

export const newProviderExamples = {
  standard: { kind: 'standard', name: 'acme-pay' },
  stripe: { kind: 'stripe', secret: 'whsec_0123456789abcdef0123456789abcdef' },
}

export const ProviderRotation = Named('PaymentProviderRotation', { secret: Type.Optional(StripeSecret) })

const members = {
  id: Uuid('The payment provider.'),
  kind: Kind,
  name: Type.String({ examples: ['acme-pay'] }),
  notification_path: Type.String({
    description: "The path for the provider's payment notifications, on the host of the integrator API.",
    examples: ['/api/payment-notifications/019f2245-6100-7abc-8def-0123456789ab'],
  }),
  previous_secret_ends_at: PreviousSecretEndsAt,
  created_at: ProviderCreatedAt,
  last_notification_at: orNull(Timestamp('When it last sent a valid notification, to the minute. Null: never.')),
  disabled_at: ProviderDisabledAt,
}

export const PaymentProvider = Named('PaymentProvider', members)

export const ProviderWithSecret = Named(
  'PaymentProviderWithSecret',
  { ...members, secret: GeneratedSecret },
  { description: 'The secret is null for `stripe`, because Stripe generated it.' },
)
