import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const paymentProviderErrors = declareErrors({
  payment_provider_exists: {
    status: 409,
    cause:
      'An enabled payment provider already has this name. The name and the reference identify a payment, so two ' +
      'providers with one name could not be distinguished.',
    remedy: 'Choose another name, rotate the secret of the existing provider, or disable it first.',
  },
  payment_mode_mismatch: {
    status: 400,
    cause: 'Stripe reported a test payment to a live environment, or a real payment to another one.',
    remedy: 'Create the webhook endpoint in the mode of Stripe that fits the environment, and use its secret.',
  },
  payment_provider_disabled: {
    status: 409,
    cause: 'The payment provider is disabled.',
    remedy: 'Create a new one. A disabled provider cannot be enabled again.',
  },
})
