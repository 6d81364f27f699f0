import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { PaymentProvider, ProviderPath } from '../payment-provider.schema.ts'
import { lockPaymentProvider, setProviderDisabled } from '../payment-provider.sql.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'

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
  async ({ params: { providerId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, providerId }
    const provider = await lockPaymentProvider(tx, key)
    if (!provider) throw new ApiError(requestErrors.not_found, 'The payment provider does not exist.')
    const disabledAt = provider.disabledAt ?? now
    if (provider.disabledAt) audit('nothing changed')
    else {
      await setProviderDisabled(tx, key, now)
      const after = { disabled_at: disabledAt.toISOString() }
      audit({ action: 'payment_provider.disabled', subject: { type: 'payment_provider', id: providerId }, after })
    }
    return viewPaymentProvider({ ...provider, disabledAt })
  },
)
