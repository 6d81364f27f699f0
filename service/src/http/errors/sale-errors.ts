import type { ErrorEntry } from './error-entry.ts'

/** Offerings, orders and the money for them. */
export const saleErrors = {
  order_not_cancellable: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order is being minted or has been: its tokens can no longer be kept from the chain.',
    remedy: 'Read the order to see its status. There is no way back by this API.',
  },
  offering_not_open: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is closed, or the time in which it is sold has not begun or is over.',
    remedy: 'Read the offering: status, opens_at and closes_at say when it can be bought.',
  },
  offering_not_draft: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering has been opened: what is sold under its terms can no longer change.',
    remedy: 'Read the offering to see its status. Make a new draft for other terms.',
  },
  offering_incomplete: {
    status: 409,
    type: 'conflict_error',
    cause: 'The draft lacks something without which it cannot be sold.',
    remedy: 'Change the draft so that it has what the message names, then open it again.',
  },
  offering_not_opened: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is a draft, which nobody can buy: there is nothing to close.',
    remedy: 'Leave it as it is, or open it first.',
  },
  offering_sold_out: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order asks for more units than the offering has left.',
    remedy: 'Read available_units of the offering and order no more than that.',
  },
  account_not_approved: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering is sold to approved accounts only, and this one is not approved.',
    remedy: 'Have kyc (individual) or kyb (company) of the account approved first.',
  },
  order_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The order is in a state that does not allow this.',
    remedy: 'Read the order: its status and blockers say what can be done.',
  },
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
  refund_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The refund is in a state that does not allow this.',
    remedy: 'Read the refund to see how far it has come.',
  },
} as const satisfies Record<string, ErrorEntry>
