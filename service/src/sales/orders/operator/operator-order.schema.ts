import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { blockerCodes } from '../blockers.ts'
import { NewOrder, Order } from '../order.schema.ts'

export const OperatorOrderPath = Type.Object({ orderId: Uuid('The order.') })

const Blocker = Named('Blocker', {
  code: Type.Enum(blockerCodes),
  message: Type.String({ description: 'What blocks it.', examples: ['The kyc status of the account is PENDING.'] }),
  remedy: Type.String({
    description: 'How to fix it.',
    examples: ['Set kyc of the account to APPROVED after the check.'],
  }),
})

/** The order that integrators see, with what an operator needs to advance it. */
export const OperatorOrder = Named('OperatorOrder', {
  ...Order.properties,
  payment_reference: Type.String({
    description: 'The reference that the buyer quotes on the transfer.',
    examples: ['RF18539007547034'],
  }),
  payment_due_at: Timestamp('The payment deadline.'),
  missing_amount: Type.Number({
    description: 'What is missing while the order waits for payment; otherwise 0.',
    examples: [125],
  }),
  accepted_at: orNull(Timestamp('When an operator accepted the order.'), { examples: [null] }),
  cancelled_at: orNull(Timestamp('When the order was cancelled.'), { examples: [null] }),
  mint_wallet_id: orNull(Uuid('The wallet that receives the tokens.', 'The wallet.')),
  blockers: Type.Array(Blocker, { maxItems: blockerCodes.length, description: 'Why the order does not advance.' }),
})

export const NewOperatorOrder = Named('NewOperatorOrder', {
  ...NewOrder.properties,
  reason: Text(1, 500, {
    description: 'How the investor ordered, for the audit log. Must not contain personal data.',
    examples: ['Letter of 2 July, signature compared.'],
  }),
})

export const PaymentDeadline = Named('PaymentDeadline', {
  payment_due_at: Timestamp('The new deadline. It must be in the future.'),
})

export const OrderCancellationReason = Named('OrderCancellationReason', {
  reason: Text(1, 500, { description: 'For the audit log.', examples: ['The investor has withdrawn.'] }),
})
