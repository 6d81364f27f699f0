import { disableProvider } from '../../../access/providers/providers.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { PaymentProvider, ProviderPath } from '../payment-provider.schema.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'
import { paymentProviderType } from '../payment-provider-type.ts'

export const disablePaymentProvider = operatorOperation(
  {
    id: 'disablePaymentProvider',
    summary: 'Disable a payment provider',
    description:
      "The provider's notifications are rejected from now on. A disabled provider cannot be enabled again. Disabling " +
      'it again changes nothing.',
    tag: 'Payment providers',
    method: 'POST',
    path: '/payment-providers/:providerId/disable',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'none',
    params: ProviderPath,
    success: { status: 200, body: PaymentProvider },
    errors: [requestErrors.not_found],
  },
  async ({ params: { providerId } }, context) =>
    viewPaymentProvider(await disableProvider(paymentProviderType, context, providerId)),
)
