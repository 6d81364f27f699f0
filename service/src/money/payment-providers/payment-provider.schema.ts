import { Type } from 'typebox'
import { orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const providerKinds = ['stripe', 'standard'] as const

const closed = { additionalProperties: false }

export const ProviderPath = Type.Object({ providerId: Uuid('The payment provider.') })

const Kind = Type.Enum(providerKinds, {
  description: '`stripe`: as Stripe signs. `standard`: as Standard Webhooks are signed, for anybody else.',
})
const StripeSecret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/=_-]{16,200}$',
  'x-meaning': 'be the signing secret of the endpoint as Stripe shows it, which begins with whsec_',
  description: 'Only for `stripe`: what Stripe signs with. For `standard` one is made here.',
  examples: ['whsec_0123456789abcdef0123456789abcdef'],
})

export const NewProvider = Type.Object(
  {
    kind: Kind,
    name: Type.Optional(
      Type.String({
        pattern: '^(?!stripe$)[a-z][a-z0-9-]{0,39}$',
        'x-meaning': 'be small letters, digits and dashes, at most 40, and not stripe',
        description: 'Only for `standard`: what it is called before the references of its payments.',
        examples: ['acme-pay'],
      }),
    ),
    secret: Type.Optional(StripeSecret),
  },
  {
    ...closed,
    title: 'NewPaymentProvider',
    allOf: [
      {
        if: { required: ['kind'], properties: { kind: { const: 'stripe' } } },
        // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
        then: { required: ['secret'], properties: { name: false } },
      },
      {
        if: { required: ['kind'], properties: { kind: { const: 'standard' } } },
        // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
        then: { required: ['name'], properties: { secret: false } },
      },
    ],
  },
)

export const newProviderExamples = {
  standard: { kind: 'standard', name: 'acme-pay' },
  stripe: { kind: 'stripe', secret: 'whsec_0123456789abcdef0123456789abcdef' },
}

export const ProviderRotation = Type.Object(
  { secret: Type.Optional(StripeSecret) },
  { ...closed, title: 'PaymentProviderRotation' },
)

const members = {
  id: Uuid('The payment provider.'),
  kind: Kind,
  name: Type.String({ examples: ['acme-pay'] }),
  notice_path: Type.String({
    description: 'Where it sends its notices, on the address of the API for integrators.',
    examples: ['/api/payment-notices/019f2245-6100-7abc-8def-0123456789ab'],
  }),
  previous_secret_ends_at: orNull(Timestamp('How long the secret before the newest one still counts.'), {
    examples: [null],
  }),
  created_at: Timestamp('When it was made.'),
  disabled_at: orNull(Timestamp('Since when its notices are refused.'), { examples: [null] }),
}

export const PaymentProvider = Type.Object(members, { ...closed, title: 'PaymentProvider' })

export const ProviderWithSecret = Type.Object(
  {
    ...members,
    secret: orNull(
      Type.String({ description: 'What to sign with, shown this once.', examples: ['whsec_shown-this-once'] }),
    ),
  },
  {
    ...closed,
    title: 'PaymentProviderWithSecret',
    description: 'The secret is null where it came from the provider.',
  },
)
