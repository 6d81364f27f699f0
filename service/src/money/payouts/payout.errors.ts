import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const payoutErrors = declareErrors({
  no_refund_due: {
    status: 409,
    type: 'conflict_error',
    cause: 'No refund is due that a file could carry and that is not in another open payout.',
    remedy: 'Look at the refunds that are due and at the payouts that are open; the message says how many there are.',
  },
  payout_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payout is in a state that does not allow this.',
    remedy: 'Read the payout: what was downloaded is with the bank, what was discarded has freed its refunds.',
  },
  payout_empty: {
    status: 409,
    type: 'conflict_error',
    cause: 'None of the refunds of the payout can be transferred any more.',
    remedy: 'Discard it, and make a new one when refunds are due.',
  },
})
