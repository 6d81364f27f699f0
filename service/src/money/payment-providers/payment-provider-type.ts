import { addPaymentProviderToDirectory } from '../../access/providers/add-provider-to-directory.job.ts'
import { authenticateSigner, type SendingProvider } from '../../access/providers/authenticate-signer.ts'
import type { Providers } from '../../access/providers/providers.ts'
import type { Verify } from '../../platform/api/declare/signed-request.ts'
import { hasStandardSignature } from '../../platform/api/declare/standard-signature.ts'
import { paymentProviderErrors } from './payment-provider.errors.ts'
import { type PaymentProviderRow, paymentProviderTable } from './payment-provider.sql.ts'
import { hasStripeSignature } from './stripe-signature.ts'

export const paymentProviderType: Providers<PaymentProviderRow> = {
  type: 'payment_provider',
  label: 'payment provider',
  unknown: 'The payment provider does not exist.',
  givenSecret: 'the signing secret that Stripe shows',
  table: paymentProviderTable,
  addToDirectory: addPaymentProviderToDirectory,
  errors: {
    exists: paymentProviderErrors.payment_provider_exists,
    disabled: paymentProviderErrors.payment_provider_disabled,
  },
}

export const authenticatePaymentProvider: Verify<SendingProvider<PaymentProviderRow>> = (request, services) =>
  authenticateSigner(request, services, paymentProviderType, (kind, signed, secrets, now) =>
    kind === 'stripe' ? hasStripeSignature(signed, secrets, now) : hasStandardSignature(signed, secrets),
  )
