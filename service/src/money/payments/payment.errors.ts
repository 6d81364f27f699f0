import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const paymentErrors = declareErrors({
  order_underpaid: {
    status: 409,
    cause: 'The payments for the order do not cover its total.',
    remedy: 'Extend the payment deadline so that the buyer can pay the rest, or refund the payments.',
  },
  payment_currency_mismatch: {
    status: 409,
    cause: 'The payment is in another currency than the order.',
    remedy: 'Return the payment, or exchange it and record it in the currency of the order.',
  },
  payment_conflict: {
    status: 409,
    cause: 'A payment with this provider and reference is already recorded with another amount, currency or order.',
    remedy: 'Compare the two. If they are different payments, use a different reference for each.',
  },
  duplicate_payment_suspected: {
    status: 409,
    cause: 'A bank or a payment provider has already reported a payment of this amount for the order.',
    remedy: 'Compare the two. If this is another payment, send it again with `is_additional` set to true.',
  },
  payment_exceeds_order: {
    status: 409,
    cause:
      'The payment is more than the order needs, counting what is paid and what is due for refund, by more than 1 % ' +
      'of the total or more than 10.00.',
    remedy:
      'Check the amount. Money beyond what the order needs must be reported by a bank statement or a payment provider.',
  },
  unassigned_payment_not_open: {
    status: 409,
    cause: 'The payment is already assigned, split, returned or dismissed.',
    remedy:
      'Read the payment to see the decision. If it was booked to the wrong order, take it off the order with ' +
      '`POST /payments/{paymentId}/reverse`.',
  },
  payment_split_invalid: {
    status: 409,
    cause: 'The parts are more than what is unassigned of the payment.',
    remedy: 'Read `unassigned_amount` of the payment. The parts may be less: what is left stays unassigned.',
  },
  payer_account_unknown: {
    status: 409,
    cause: 'The bank or the payment provider reported no valid IBAN of the payer.',
    remedy: 'Pay it back where it was received, for example at the payment provider, then dismiss it.',
  },
  collection_account_unknown: {
    status: 409,
    cause: 'Your offerings have no collection account, or several, that could pay the payment back.',
    remedy: 'Pay it back at your bank, then dismiss it.',
  },
  payment_not_reversible: {
    status: 409,
    cause:
      'The order is being minted or is minted, so that its tokens would no longer be paid; or the money is already ' +
      'on its way back to the investor; or the payment is already reversed.',
    remedy: 'Read the order, its payments and its refunds. What is minted can only be taken back by a token action.',
  },
})
