import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const paymentErrors = declareErrors({
  order_underpaid: {
    status: 409,
    type: 'conflict_error',
    cause: 'What was paid for the order does not reach its total.',
    remedy: 'Give the order more time, so that the rest can be paid, or refund what was paid.',
  },
  payment_currency_mismatch: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payment is in another currency than the order.',
    remedy: 'Have it sent back, or exchanged and recorded in the currency of the order.',
  },
  payment_conflict: {
    status: 409,
    type: 'conflict_error',
    cause: 'A payment with this reference of this provider is already recorded, with other contents.',
    remedy: 'Compare the two. If they are two payments, give each a reference of its own.',
  },
  unassigned_payment_not_open: {
    status: 409,
    type: 'conflict_error',
    cause: 'The money was given to an order or dismissed before.',
    remedy: 'Read it again to see what became of it. An order that got it by mistake can be cancelled and refunded.',
  },
})
