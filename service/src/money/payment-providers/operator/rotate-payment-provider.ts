import { rotateProvider } from '../../../access/providers/providers.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { paymentProviderErrors } from '../payment-provider.errors.ts'
import { ProviderPath, ProviderRotation, ProviderWithSecret } from '../payment-provider.schema.ts'
import { paymentProviderTable } from '../payment-provider.sql.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'
import { paymentProviderType } from '../payment-provider-type.ts'

export const rotatePaymentProvider = operatorOperation(
  {
    id: 'rotatePaymentProvider',
    summary: 'Rotate the secret of a payment provider',
    description:
      'The current secret stays valid for another 24 hours, so that the provider can switch without losing ' +
      'notifications; a secret from an earlier rotation expires at once. For Stripe, send the new secret; for any ' +
      'other provider, the service generates it and returns it only in this response.',
    tag: 'Payment providers',
    method: 'POST',
    path: '/payment-providers/:providerId/rotate',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'none',
    params: ProviderPath,
    body: ProviderRotation,
    success: { status: 200, body: ProviderWithSecret },
    errors: [requestErrors.not_found, paymentProviderErrors.payment_provider_disabled],
  },
  async ({ params: { providerId }, body }, context) => {
    const { provider, generated } = await rotateProvider(paymentProviderType, context, providerId, body.secret)
    return { ...viewPaymentProvider(provider), secret: generated }
  },
  { policy: 'payment_provider', subject: 'payment_provider', fingerprint: paymentProviderTable.fingerprint },
)
