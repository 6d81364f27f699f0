import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const payoutErrors = declareErrors({
  no_refund_due: {
    status: 409,
    cause: 'No due refund can be in a file, or all of them are in other open payouts.',
    remedy: 'Check the due refunds and the open payouts; the message says how many there are.',
  },
  payout_not_in_state: {
    status: 409,
    cause: 'The status of the payout does not allow this.',
    remedy:
      'Read the payout. A downloaded payout is with the bank; the refunds of a discarded one can be in a new payout.',
  },
  payout_not_released: {
    status: 409,
    cause: 'The file of a payout can be downloaded only after its release.',
    remedy: 'Release it with `POST /payouts/{payoutId}/release`; a user with the duty `release` confirms that.',
  },
  payout_empty: {
    status: 409,
    cause: 'None of the refunds of the payout can be transferred any more.',
    remedy: 'Discard it, and create a new one when refunds are due.',
  },
  payouts_stopped: {
    status: 409,
    cause:
      'The database was restored to an earlier moment. Refunds that were paid later look due, and would be paid twice.',
    remedy:
      'Import the bank statements since that moment, and book them; the message says which are missing. Then retry.',
  },
})
