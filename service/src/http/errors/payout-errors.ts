import type { ErrorEntry } from './error-entry.ts'

/** Refunds that go to the bank in a file, and the providers that tell of payments. */
export const payoutErrors = {
  nothing_due: {
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
  payment_provider_exists: {
    status: 409,
    type: 'conflict_error',
    cause: 'A payment provider of this name is live: two would take the payments of each other for their own.',
    remedy: 'Give it another name, rotate the secret of the one that is there, or disable that one first.',
  },
  payment_provider_disabled: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payment provider was disabled.',
    remedy: 'Make a new one; what is disabled stays so.',
  },
  signature_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'The signature is not that of a payment provider of this address, or is more than five minutes old.',
    remedy: 'Check the address, the secret and your clock, and sign the bytes of the body as they are sent.',
  },
} as const satisfies Record<string, ErrorEntry>
