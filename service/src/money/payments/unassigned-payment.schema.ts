import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { Masked } from '../../platform/api/declare/masked.ts'
import { OrderLabels } from '../../sales/order-labels/order-labels.schema.ts'
import { ExactAmount, paymentSources } from './payment.schema.ts'

export const unassignedStatuses = ['open', 'assigned', 'split', 'returned', 'dismissed'] as const

export const UnassignedPaymentPath = Type.Object({ paymentId: Uuid('The unassigned payment.') })

const Suggestion = Named('OrderSuggestion', {
  order_id: Uuid('The order.'),
  payment_reference: Type.String({ examples: ['RF45ABCDEFGHJKLMNP'] }),
  account_name: Type.String({ examples: ['Ada Lovelace'] }),
  why: Type.String({ examples: ['Exactly this amount is missing, and the names are 92 % similar.'] }),
})

export const UnassignedPayment = Named('UnassignedPayment', {
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
})

/** Leaves out the suggestions, which take a search of the waiting orders for each payment. */
export const ListedUnassignedPayment = Named('ListedUnassignedPayment', {
  ...Type.Omit(UnassignedPayment, ['suggestions']).properties,
  order: orNull(OrderLabels, { description: 'The order that it is assigned to.', examples: [null] }),
})

export const Assignment = Named('PaymentAssignment', { order_id: Uuid('The order.') })

/** Bounded, because all orders of a split are locked in one transaction. */
const splitMax = 50

export const Split = Named('PaymentSplit', {
  parts: Type.Array(
    Named('PaymentSplitPart', {
      order_id: Uuid('The order.'),
      amount: ExactAmount('How much of the payment is for the order, in the currency of the payment.'),
    }),
    { minItems: 1, maxItems: splitMax, description: 'Each order at most once. What is left stays unassigned.' },
  ),
})

export const PaymentReturn = Named('PaymentReturn', {
  reason: Text(1, 500, { description: 'For the audit log.', examples: ['The payer is not an investor.'] }),
})

export const UnassignedPaymentWithParts = Named('UnassignedPaymentWithParts', {
  ...UnassignedPayment.properties,
  parts: Type.Array(
    Named('UnassignedPaymentPart', {
      order_id: orNull(Uuid('The order that this part was booked to.', 'The order.')),
      payment_id: orNull(Uuid('Its payment.', 'The payment.')),
      refund_id: orNull(Uuid('The refund that pays this part back to the payer.'), { examples: [null] }),
      amount: Type.String({ description: 'An exact decimal.', examples: ['125.00'] }),
      is_reversed: Type.Boolean({ description: 'Taken off the order again.', examples: [false] }),
    }),
    { maxItems: 1000, description: 'What became of the payment so far.' },
  ),
})

export const Dismissal = Named('PaymentDismissal', {
  reason: Text(1, 500, { examples: ['Interest paid by the bank, not a purchase.'] }),
})
