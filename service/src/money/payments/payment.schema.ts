import { Type } from 'typebox'
import { Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

/** Where word of a payment comes from: an operator by hand, a bank statement, or a payment provider. */
export const paymentSources = ['manual', 'bank_transfer', 'stripe', 'checkout', 'tokensale'] as const

const closed = { additionalProperties: false }

/** An exact amount of money: a JSON number could not carry every one. */
const Amount = (description: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,6})?$',
    maxLength: 22,
    'x-meaning': 'be a decimal number without sign or exponent, such as "125.00"',
    description,
    examples: ['125.00'],
  })

export const NewPayment = Type.Object(
  {
    amount: Amount('What arrived.'),
    currency: Type.String({ pattern: '^[A-Z]{3}$', 'x-meaning': 'be an ISO 4217 code', examples: ['EUR'] }),
    reference: Text(1, 200, {
      description: 'How it is found at the bank. The same reference again is the same payment.',
      examples: ['2026-07-02/000123'],
    }),
    received_at: Timestamp('When it arrived.'),
  },
  { ...closed, title: 'NewPayment' },
)

export const Payment = Type.Object(
  {
    id: Uuid('The payment.'),
    order_id: Uuid('The order.'),
    provider: Type.Enum(paymentSources),
    provider_reference: Type.String({ examples: ['2026-07-02/000123'] }),
    amount: Type.String({ description: 'Exact, in the currency beside it.', examples: ['125.00'] }),
    currency: Type.String({ examples: ['EUR'] }),
    received_at: Timestamp('When it arrived.'),
    created_at: Timestamp('When we learned of it.'),
  },
  { ...closed, title: 'Payment' },
)
