import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { paymentSources } from './payment.schema.ts'

export const unassignedStatuses = ['open', 'assigned', 'dismissed'] as const

export const UnassignedPaymentPath = Type.Object({ paymentId: Uuid('The unassigned payment.') })

const closed = { additionalProperties: false }

const Suggestion = Type.Object(
  {
    order_id: Uuid('The order.'),
    payment_reference: Type.String({ examples: ['RF45ABCDEFGHJKLMNP'] }),
    account_name: Type.String({ examples: ['Ada Lovelace'] }),
    why: Type.String({ examples: ['Exactly this amount is missing, and the names are 92 % similar.'] }),
  },
  { ...closed, title: 'OrderSuggestion' },
)

export const UnassignedPayment = Type.Object(
  {
    id: Uuid('The unassigned payment.'),
    provider: Type.Enum(paymentSources),
    provider_reference: Type.String({ examples: ['DE89370400440532013000/2026070200123'] }),
    amount: Type.String({ description: 'The exact amount, in `currency`.', examples: ['125.00'] }),
    currency: Type.String({ examples: ['EUR'] }),
    received_at: Timestamp('When the payment arrived.'),
    payer_name: orNull(Type.String({ examples: ['Ada Lovelace'] })),
    payer_iban: orNull(Type.String({ examples: ['DE02120300000000202051'] })),
    text: orNull(Type.String({ description: 'What the payer wrote.', examples: ['For my tokens'] })),
    status: Type.Enum(unassignedStatuses),
    order_id: orNull(Uuid('The order that it is assigned to.', 'The order.'), { examples: [null] }),
    dismissal_reason: orNull(Type.String({ description: 'Why the payment belongs to no order.' }), {
      examples: [null],
    }),
    note: orNull(
      Type.String({
        description:
          'Why the payment was not booked although it names an order: it was probably recorded by hand. Dismiss it ' +
          'if it is the same money, assign it if it is not.',
      }),
      { examples: [null] },
    ),
    created_at: Timestamp('When the payment was recorded.'),
    changed_at: Timestamp('When the status last changed.'),
    suggestions: Type.Array(Suggestion, {
      maxItems: 5,
      description: 'Orders that the payment may be for, the most likely first. An operator has to assign it.',
    }),
  },
  { ...closed, title: 'UnassignedPayment' },
)

export const Assignment = Type.Object({ order_id: Uuid('The order.') }, { ...closed, title: 'PaymentAssignment' })

export const Dismissal = Type.Object(
  { reason: Text(1, 500, { examples: ['Interest paid by the bank, not a purchase.'] }) },
  { ...closed, title: 'PaymentDismissal' },
)
