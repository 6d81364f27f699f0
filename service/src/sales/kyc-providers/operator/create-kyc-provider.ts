import { createProvider } from '../../../access/providers/providers.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { KycProviderWithSecret, NewKycProvider, newKycProviderExamples } from '../kyc-provider.schema.ts'
import { insertKycProvider, kycProviderTable } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { kycProviderType } from '../kyc-provider-type.ts'

// A tenant has one or two. The limit keeps a stolen token from filling the directory.
const providersMax = 20

export const createKycProvider = operatorOperation(
  {
    id: 'createKycProvider',
    summary: 'Create a KYC provider',
    description:
      'Allows the provider to send signed results of KYC checks to `notification_path`. For Sumsub, send the secret ' +
      'key of the webhook, and the levels whose reviews approve an investor; for any other provider, the service ' +
      'generates the secret and returns it only in this response. Notifications are accepted from a moment after ' +
      'the response.',
    tag: 'KYC providers',
    method: 'POST',
    path: '/kyc-providers',
    duty: 'integrations',
    approval: 'policy',
    // A response stored for an idempotency key would contain the secret.
    idempotency: 'none',
    body: NewKycProvider,
    bodyExamples: newKycProviderExamples,
    success: { status: 201, body: KycProviderWithSecret },
    errors: [kycProviderErrors.kyc_provider_exists, kycProviderErrors.kyc_provider_limit_reached],
  },
  async ({ body }, context) => {
    const { tenantId, tx } = context
    // Locks before counting, so that two concurrent requests cannot both pass the limit.
    await kycProviderTable.lockAll(tx, tenantId)
    if ((await kycProviderTable.countEnabled(tx, tenantId)) >= providersMax)
      throw new ApiError(
        kycProviderErrors.kyc_provider_limit_reached,
        `The tenant may have at most ${providersMax} enabled KYC providers. Disable one that is no longer used.`,
      )
    const { kind, name, approvals = 'queue', validity_days: validityDays = null } = body
    const { kyc_levels: kycLevels = [], kyb_levels: kybLevels = [] } = body
    const levels = { kyc_levels: kycLevels, kyb_levels: kybLevels }
    const settings = { approvals, validity_days: validityDays, ...(kind === 'sumsub' ? levels : {}) }
    const { provider, generated } = await createProvider(kycProviderType, context, { ...body, settings }, (row) =>
      insertKycProvider(tx, tenantId, { ...row, kind, name, approvals, validityDays, kycLevels, kybLevels }),
    )
    return { ...viewKycProvider(provider), secret: generated }
  },
  { policy: 'kyc_provider', subject: 'tenant' },
)
