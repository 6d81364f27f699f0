import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Money } from '../../platform/base/money.ts'
import { OrderLabels } from '../../sales/order-labels/order-labels.schema.ts'

/** Who reports a payment: an operator (manual), a bank statement (bank_transfer) or a payment provider. */
export const paymentSources = ['manual', 'bank_transfer', 'stripe', 'checkout', 'tokensale'] as const

export const PaymentPath = Type.Object({ paymentId: Uuid('The payment.') })

/** An exact amount. A JSON number cannot represent every decimal amount exactly. */
export const ExactAmount = (description: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,6})?$',
    maxLength: 22,
    'x-meaning': 'be a decimal number without sign or exponent, such as "125.00"',
    description,
    examples: ['125.00'],
  })

/** Reads an ExactAmount of a request. */
export function amountOf({ amount, currency }: { amount: string; currency: string }): Money {
  return Money.parse(amount, currency)
}

export const NewPayment = Named('NewPayment', {
  amount: ExactAmount('The amount received.'),
  currency: Type.String({ pattern: '^[A-Z]{3}$', 'x-meaning': 'be an ISO 4217 code', examples: ['EUR'] }),
  reference: Text(1, 200, {
    description: 'Identifies the payment at the bank. Two requests with the same reference record one payment.',
    examples: ['2026-07-02/000123'],
  }),
  received_at: Timestamp('When the payment arrived.'),
  is_additional: Type.Optional(
    Type.Boolean({
      description:
        'Set it to record a payment although a bank or a provider has reported one of the same amount for the order.',
      examples: [false],
    }),
  ),
})

export const PaymentReversal = Named('PaymentReversal', {
  reason: Text(1, 500, { description: 'For the audit log.', examples: ['It belongs to the order of the spouse.'] }),
})

export const Payment = Named('Payment', {
  id: Uuid('The payment.'),
  order_id: Uuid('The order.'),
  provider: Type.Enum(paymentSources),
  provider_reference: Type.String({ examples: ['2026-07-02/000123'] }),
  amount: Type.String({ description: 'The exact amount, in `currency`.', examples: ['125.00'] }),
  currency: Type.String({ examples: ['EUR'] }),
  received_at: Timestamp('When the payment arrived.'),
  created_at: Timestamp('When the payment was recorded.'),
  approval_id: orNull(Uuid('The approval of the second person, of a payment that was recorded by hand.'), {
    examples: [null],
  }),
  matched_at: orNull(
    Timestamp('When a bank or a provider reported money that is probably this payment, which was recorded by hand.'),
    { examples: [null] },
  ),
  reversed_at: orNull(
    Timestamp('When the bank took the money back, or an operator took it off the order. It counts no longer.'),
    { examples: [null] },
  ),
  unassigned_payment_id: orNull(
    Uuid('The unassigned payment that it was assigned from, or became when an operator took it off the order.'),
    { examples: [null] },
  ),
})

export const ListedPayment = Named('ListedPayment', { ...Payment.properties, order: OrderLabels })
