import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const paymentProviderErrors = declareErrors({
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
})
