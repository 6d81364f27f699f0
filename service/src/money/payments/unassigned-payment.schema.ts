import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Masked } from '../../platform/api/declare/masked.ts'
import { OrderLabels } from '../../sales/order-labels/order-labels.schema.ts'
import { ExactAmount, paymentSources } from './payment.schema.ts'

export const unassignedStatuses = ['open', 'assigned', 'split', 'returned', 'dismissed'] as const

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
    unassigned_amount: Type.String({
      description: 'How much of it is neither booked to an order nor on its way back to the payer.',
      examples: ['125.00'],
    }),
    received_at: Timestamp('When the payment arrived.'),
    payer_name: orNull(Type.String({ examples: ['Ada Lovelace'] })),
    payer_iban: orNull(Masked('iban', 'The IBAN of the payer.', 'DE02120300000000202051')),
    text: orNull(Type.String({ description: 'What the payer wrote.', examples: ['For my tokens'] })),
    status: Type.Enum(unassignedStatuses, {
      description:
        '`open`: an operator has to decide about `unassigned_amount`. `assigned`: all of it to one order. `split`: ' +
        'to several orders. `returned`: a refund pays it, or what was left of it, back. `dismissed`: it stays.',
    }),
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

/** Leaves out the suggestions, which take a search of the waiting orders for each payment. */
export const ListedUnassignedPayment = Type.Object(
  {
    ...Type.Omit(UnassignedPayment, ['suggestions']).properties,
    order: orNull(OrderLabels, { description: 'The order that it is assigned to.', examples: [null] }),
  },
  { ...closed, title: 'ListedUnassignedPayment' },
)

export const Assignment = Type.Object({ order_id: Uuid('The order.') }, { ...closed, title: 'PaymentAssignment' })

/** Bounded, because all orders of a split are locked in one transaction. */
const splitMax = 50

export const Split = Type.Object(
  {
    parts: Type.Array(
      Type.Object(
        {
          order_id: Uuid('The order.'),
          amount: ExactAmount('How much of the payment is for the order, in the currency of the payment.'),
        },
        { ...closed, title: 'PaymentSplitPart' },
      ),
      { minItems: 1, maxItems: splitMax, description: 'Each order at most once. What is left stays unassigned.' },
    ),
  },
  { ...closed, title: 'PaymentSplit' },
)

export const PaymentReturn = Type.Object(
  { reason: Text(1, 500, { description: 'For the audit log.', examples: ['The payer is not an investor.'] }) },
  { ...closed, title: 'PaymentReturn' },
)

export const UnassignedPaymentWithParts = Type.Object(
  {
    ...UnassignedPayment.properties,
    parts: Type.Array(
      Type.Object(
        {
          order_id: orNull(Uuid('The order that this part was booked to.', 'The order.')),
          payment_id: orNull(Uuid('Its payment.', 'The payment.')),
          refund_id: orNull(Uuid('The refund that pays this part back to the payer.'), { examples: [null] }),
          amount: Type.String({ description: 'An exact decimal.', examples: ['125.00'] }),
          is_reversed: Type.Boolean({ description: 'Taken off the order again.', examples: [false] }),
        },
        { ...closed, title: 'UnassignedPaymentPart' },
      ),
      { maxItems: 1000, description: 'What became of the payment so far.' },
    ),
  },
  { ...closed, title: 'UnassignedPaymentWithParts' },
)

export const Dismissal = Type.Object(
  { reason: Text(1, 500, { examples: ['Interest paid by the bank, not a purchase.'] }) },
  { ...closed, title: 'PaymentDismissal' },
)
