import { rotateProvider } from '../../../access/providers/providers.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { KycProviderPath, KycProviderRotation, KycProviderWithSecret } from '../kyc-provider.schema.ts'
import { kycProviderTable } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { kycProviderType } from '../kyc-provider-type.ts'

export const rotateKycProvider = operatorOperation(
  {
    id: 'rotateKycProvider',
    summary: 'Rotate the secret of a KYC provider',
    description:
      'The current secret stays valid for another 24 hours, so that the provider can switch without losing ' +
      'notifications; a secret from an earlier rotation expires at once. For Sumsub, send the new secret; for any ' +
      'other provider, the service generates it and returns it only in this response.',
    tag: 'KYC providers',
    method: 'POST',
    path: '/kyc-providers/:kycProviderId/rotate',
    duty: 'integrations',
    approval: 'policy',
    idempotency: 'none',
    params: KycProviderPath,
    body: KycProviderRotation,
    success: { status: 200, body: KycProviderWithSecret },
    errors: [requestErrors.not_found, kycProviderErrors.kyc_provider_disabled],
  },
  async ({ params: { kycProviderId }, body }, context) => {
    const { provider, generated } = await rotateProvider(kycProviderType, context, kycProviderId, body.secret)
    return { ...viewKycProvider(provider), secret: generated }
  },
  { policy: 'kyc_provider', subject: 'kyc_provider', fingerprint: kycProviderTable.fingerprint },
)
