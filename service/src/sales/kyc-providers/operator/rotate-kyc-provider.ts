import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newSigningSecret, secretOverlapMs } from '../../../platform/base/signing-secret.ts'
import { kycProviderErrors } from '../kyc-provider.errors.ts'
import { KycProviderPath, KycProviderRotation, KycProviderWithSecret } from '../kyc-provider.schema.ts'
import { type KycProviderRow, kycProviderFingerprint, updateLockedKycProvider } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'
import { kycSecretContext } from '../kyc-secret-context.ts'
import { requireEnabledKycProvider } from '../require-enabled-kyc-provider.ts'

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
  async ({ params: { kycProviderId }, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, providerId: kycProviderId }
    const provider = await requireEnabledKycProvider(tx, key)
    const generated = generateSecret(provider, body.secret)
    const secret = await vault.seal(generated ?? body.secret ?? '', kycSecretContext(kycProviderId))
    const previousSecretEndsAt = new Date(now.getTime() + secretOverlapMs)
    const rotated = { ...provider, secret, previousSecret: provider.secret, previousSecretEndsAt }
    await updateLockedKycProvider(tx, key, rotated)
    const after = { previous_secret_ends_at: previousSecretEndsAt.toISOString() }
    audit({ action: 'kyc_provider.rotated', subject: { type: 'kyc_provider', id: kycProviderId }, after })
    return { ...viewKycProvider(rotated), secret: generated }
  },
  { policy: 'kyc_provider', subject: 'kyc_provider', fingerprint: kycProviderFingerprint },
)

/** Generates a secret; returns null for Sumsub, whose secret the operator sends. */
function generateSecret({ kind }: KycProviderRow, given: string | undefined): string | null {
  if (kind === 'standard' && given === undefined) return newSigningSecret()
  if (kind === 'sumsub' && given !== undefined) return null
  const detail =
    kind === 'sumsub'
      ? 'The member secret is missing: send the secret key that Sumsub shows.'
      : 'The member secret is not allowed: the service generates the secret of a standard provider.'
  throw validationFailed([{ detail, pointer: '/secret' }])
}
