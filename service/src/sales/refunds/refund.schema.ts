import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const refundStatuses = ['due', 'sent', 'settled', 'failed', 'withdrawn'] as const
export const refundReasons = ['overpaid', 'not_paid_in_time', 'late', 'cancelled'] as const

export const RefundPath = Type.Object({ refundId: Uuid('The refund.') })

export const Refund = Type.Object(
  {
    id: Uuid('The refund.'),
    order_id: Uuid('The order.'),
    reason: Type.Enum(refundReasons, { description: 'Why the money is refunded.' }),
    amount: Type.String({ description: 'The exact amount, in `currency`.', examples: ['12.50'] }),
    currency: Type.String({ examples: ['EUR'] }),
    status: Type.Enum(refundStatuses, {
      description: '`withdrawn`: the money was applied to the order before the refund was sent.',
    }),
    reference: orNull(Type.String({ description: 'The reference of the transfer, after it is sent.' }), {
      examples: [null],
    }),
    failure: orNull(Type.String({ description: 'Why the transfer failed.' }), { examples: [null] }),
    created_at: Timestamp('When the refund became due.'),
    changed_at: Timestamp('When the status last changed.'),
  },
  { additionalProperties: false, title: 'Refund' },
)

const closed = { additionalProperties: false }
export const RefundSent = Type.Object(
  { reference: Text(1, 140, { description: 'Identifies the transfer at the bank.', examples: ['RUN-2026-07-02'] }) },
  { ...closed, title: 'RefundSent' },
)
export const RefundFailure = Type.Object(
  { failure: Text(1, 500, { description: 'The reason that the bank reported.', examples: ['AC04 closed account'] }) },
  { ...closed, title: 'RefundFailure' },
)
