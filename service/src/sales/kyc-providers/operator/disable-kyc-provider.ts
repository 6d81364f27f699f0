import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { KycProvider, KycProviderPath } from '../kyc-provider.schema.ts'
import { lockKycProvider, updateLockedKycProvider } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'

export const disableKycProvider = operatorOperation(
  {
    id: 'disableKycProvider',
    summary: 'Disable a KYC provider',
    description:
      "The provider's notifications are rejected from now on. Its results that wait for an operator stay in the " +
      'list, and approvals stay valid. A disabled provider cannot be enabled again. Disabling it again changes ' +
      'nothing.',
    tag: 'KYC providers',
    method: 'POST',
    path: '/kyc-providers/:kycProviderId/disable',
    duty: 'integrations',
    approval: 'never',
    idempotency: 'none',
    params: KycProviderPath,
    success: { status: 200, body: KycProvider },
    errors: [requestErrors.not_found],
  },
  async ({ params: { kycProviderId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, providerId: kycProviderId }
    const provider = await lockKycProvider(tx, key)
    if (!provider) throw new ApiError(requestErrors.not_found, 'There is no such KYC provider.')
    const disabledAt = provider.disabledAt ?? now
    if (provider.disabledAt) audit('nothing changed')
    else {
      await updateLockedKycProvider(tx, key, { ...provider, disabledAt })
      const after = { disabled_at: disabledAt.toISOString() }
      audit({ action: 'kyc_provider.disabled', subject: { type: 'kyc_provider', id: kycProviderId }, after })
    }
    return viewKycProvider({ ...provider, disabledAt })
  },
)
