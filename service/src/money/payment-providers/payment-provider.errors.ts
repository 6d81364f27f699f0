import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const paymentProviderErrors = declareErrors({
  payment_provider_exists: {
    status: 409,
    type: 'conflict_error',
    cause:
      'An enabled payment provider already has this name. The name and the reference identify a payment, so two ' +
      'providers with one name could not be distinguished.',
    remedy: 'Choose another name, rotate the secret of the existing provider, or disable it first.',
  },
  payment_provider_disabled: {
    status: 409,
    type: 'conflict_error',
    cause: 'The payment provider is disabled.',
    remedy: 'Create a new one. A disabled provider cannot be enabled again.',
  },
})
