import { disableProvider } from '../../../access/providers/providers.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { KycProvider, KycProviderPath } from '../kyc-provider.schema.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { kycProviderType } from '../kyc-provider-type.ts'

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
  async ({ params: { kycProviderId } }, context) =>
    viewKycProvider(await disableProvider(kycProviderType, context, kycProviderId)),
)
