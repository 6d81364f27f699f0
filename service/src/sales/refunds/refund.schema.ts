import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { OrderLabels } from '../order-labels/order-labels.schema.ts'

export const refundStatuses = ['due', 'sent', 'settled', 'failed', 'withdrawn'] as const
export const refundReasons = ['overpaid', 'not_paid_in_time', 'late', 'cancelled', 'not_assigned'] as const

export const RefundPath = Type.Object({ refundId: Uuid('The refund.') })

export const Refund = Named('Refund', {
  id: Uuid('The refund.'),
  order_id: orNull(Uuid('The order; null if an unassigned payment goes back to its payer.', 'The order.')),
  payment_id: orNull(Uuid('The payment that is paid back; null if the refund is of the order as a whole.')),
  unassigned_payment_id: orNull(Uuid('The unassigned payment that goes back to its payer.'), { examples: [null] }),
  reason: Type.Enum(refundReasons, { description: 'Why the money is refunded.' }),
  amount: Type.String({ description: 'The exact amount, in `currency`.', examples: ['12.50'] }),
  currency: Type.String({ examples: ['EUR'] }),
  status: Type.Enum(refundStatuses, {
    description: '`withdrawn`: the money was applied to the order, because it was never sent or the bank returned it.',
  }),
  reference: orNull(Type.String({ description: 'The reference of the transfer, after it is sent.' }), {
    examples: [null],
  }),
  failure: orNull(Type.String({ description: 'Why the transfer failed.' }), { examples: [null] }),
  created_at: Timestamp('When the refund became due.'),
  changed_at: Timestamp('When the status last changed.'),
  account_approved_at: orNull(
    Timestamp(
      'When it was approved to pay the refund to the bank account of the investor account. Void if that has ' +
        'changed since.',
    ),
    { examples: [null] },
  ),
  may_be_paid: Type.Boolean({
    description:
      'A transfer was sent, and no bank entry says that it came back: the payee may have the money, also if an ' +
      'operator has reported a failure. Such a refund cannot be withdrawn, and is retried by two persons.',
    examples: [false],
  }),
})

export const ListedRefund = Named('ListedRefund', {
  ...Refund.properties,
  order: orNull(OrderLabels, { description: 'Null if an unassigned payment is returned.' }),
})

export const RefundSent = Named('RefundSent', {
  reference: Text(1, 140, { description: 'Identifies the transfer at the bank.', examples: ['RUN-2026-07-02'] }),
})
export const RefundFailure = Named('RefundFailure', {
  failure: Text(1, 500, { description: 'The reason that the bank reported.', examples: ['AC04 closed account'] }),
})
