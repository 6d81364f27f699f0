import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const paymentErrors = declareErrors({
  order_underpaid: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payments for the order do not cover its total.',
    remedy: 'Extend the payment deadline so that the buyer can pay the rest, or refund the payments.',
  },
  payment_currency_mismatch: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payment is in another currency than the order.',
    remedy: 'Return the payment, or exchange it and record it in the currency of the order.',
  },
  payment_conflict: {
    status: 409,
    type: 'conflict_error',
    cause: 'A payment with this provider and reference is already recorded with another amount, currency or order.',
    remedy: 'Compare the two. If they are different payments, use a different reference for each.',
  },
  duplicate_payment_suspected: {
    status: 409,
    type: 'conflict_error',
    cause: 'A bank or a payment provider has already reported a payment of this amount for the order.',
    remedy: 'Compare the two. If this is another payment, send it again with `is_additional` set to true.',
  },
  unassigned_payment_not_open: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payment is already assigned to an order or dismissed.',
    remedy: 'Read the payment to see the decision. If it was assigned by mistake, cancel the order to refund it.',
  },
})
