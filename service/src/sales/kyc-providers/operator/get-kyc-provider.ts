import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { KycProvider, KycProviderPath } from '../kyc-provider.schema.ts'
import { kycProviderTable } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'

export const getKycProvider = operatorOperation(
  {
    id: 'getKycProvider',
    summary: 'Read a KYC provider',
    description: 'Its secret is never shown.',
    tag: 'KYC providers',
    method: 'GET',
    path: '/kyc-providers/:kycProviderId',
    duty: 'read',
    idempotency: 'none',
    params: KycProviderPath,
    success: { status: 200, body: KycProvider },
    errors: [requestErrors.not_found],
  },
  async ({ params: { kycProviderId } }, { tenantId, tx }) => {
    const provider = await kycProviderTable.find(tx, { tenantId, providerId: kycProviderId })
    if (!provider) throw new ApiError(requestErrors.not_found, 'There is no such KYC provider.')
    return viewKycProvider(provider)
  },
)
