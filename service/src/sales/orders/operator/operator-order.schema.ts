import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { blockerCodes } from '../blockers.ts'
import { Order } from '../order.schema.ts'

const closed = { additionalProperties: false }

export const OperatorOrderPath = Type.Object({ orderId: Uuid('The order.') })

const Blocker = Type.Object(
  {
    code: Type.Enum(blockerCodes),
    message: Type.String({ description: 'What is missing.', examples: ['The kyc status of the account is PENDING.'] }),
    remedy: Type.String({ description: 'What would clear it.', examples: ['Set kyc of the account to APPROVED.'] }),
  },
  { ...closed, title: 'Blocker' },
)

/** What integrators see of an order, and what an operator needs to move it on. */
export const OperatorOrder = Type.Object(
  {
    ...Order.properties,
    payment_reference: Type.String({
      description: 'What the buyer writes on the transfer.',
      examples: ['RF18539007547034'],
    }),
    payment_due_at: Timestamp('Until when it must be paid.'),
    accepted_at: orNull(Timestamp('When an operator accepted it.'), { examples: [null] }),
    cancelled_at: orNull(Timestamp('When it was cancelled.'), { examples: [null] }),
    mint_wallet_id: orNull(Uuid('Where its tokens go.', 'The wallet.')),
    blockers: Type.Array(Blocker, { maxItems: blockerCodes.length, description: 'Why it does not advance.' }),
  },
  { ...closed, title: 'OperatorOrder' },
)

export const OrderExtension = Type.Object(
  { payment_due_at: Timestamp('The new deadline; it must lie ahead.') },
  { ...closed, title: 'OrderExtension' },
)

export const OrderReason = Type.Object(
  { reason: Text(1, 500, { description: 'For the audit log.', examples: ['The investor has withdrawn.'] }) },
  { ...closed, title: 'OrderReason' },
)
