import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { newId } from '../../../platform/base/ids.ts'
import { newSigningSecret } from '../../../platform/base/signing-secret.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { addKycProviderToDirectory } from '../add-kyc-provider-to-directory.job.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { KycProviderWithSecret, NewKycProvider, newKycProviderExamples } from '../kyc-provider.schema.ts'
import { countEnabledKycProviders, insertKycProvider, lockKycProviders } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { kycSecretContext } from '../kyc-secret-context.ts'

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
  async ({ body }, { tenantId, tx, vault, now, audit }) => {
    // Locks before counting, so that two concurrent requests cannot both pass the limit.
    await lockKycProviders(tx, tenantId)
    if ((await countEnabledKycProviders(tx, tenantId)) >= providersMax)
      throw new ApiError(
        kycProviderErrors.kyc_provider_limit_reached,
        `The tenant may have at most ${providersMax} enabled KYC providers. Disable one that is no longer used.`,
      )
    const id = newId()
    const { kind, name, approvals = 'queue', validity_days: validityDays = null } = body
    const { kyc_levels: kycLevels = [], kyb_levels: kybLevels = [] } = body
    const generated = kind === 'standard' ? newSigningSecret() : null
    const secret = await vault.seal(generated ?? body.secret ?? '', kycSecretContext(id))
    const settings = { kind, name, approvals, validityDays, kycLevels, kybLevels }
    const provider = await insertKycProvider(tx, tenantId, { id, ...settings, secret, now })
    if (!provider)
      throw new ApiError(
        kycProviderErrors.kyc_provider_exists,
        `An enabled KYC provider is already named ${name}. Disable it or choose another name.`,
      )
    await enqueueJob(tx, addKycProviderToDirectory, { tenant_id: tenantId, provider_id: id })
    const levels = { kyc_levels: kycLevels, kyb_levels: kybLevels }
    const after = { kind, name, approvals, validity_days: validityDays, ...(kind === 'sumsub' ? levels : {}) }
    audit({ action: 'kyc_provider.created', subject: { type: 'kyc_provider', id }, after })
    return { ...viewKycProvider(provider), secret: generated }
  },
  { policy: 'kyc_provider', subject: 'tenant' },
)
