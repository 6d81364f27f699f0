import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newSigningSecret, secretOverlapMs } from '../../../platform/base/signing-secret.ts'
import { paymentProviderErrors } from '../payment-provider.errors.ts'
import { ProviderPath, ProviderRotation, ProviderWithSecret } from '../payment-provider.schema.ts'
import {
  lockPaymentProvider,
  type PaymentProviderRow,
  paymentProviderFingerprint,
  updateProviderSecrets,
} from '../payment-provider.sql.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'
import { signingSecretContext } from '../signing-secret-context.ts'

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
  async ({ params: { providerId }, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, providerId }
    const provider = await lockPaymentProvider(tx, key)
    if (!provider) throw new ApiError(requestErrors.not_found, 'The payment provider does not exist.')
    if (provider.disabledAt)
      throw new ApiError(
        paymentProviderErrors.payment_provider_disabled,
        'The payment provider is disabled. Create a new one.',
      )
    const generated = generateSecret(provider, body.secret)
    const secret = await vault.seal(generated ?? body.secret ?? '', signingSecretContext(providerId))
    const previousSecretEndsAt = new Date(now.getTime() + secretOverlapMs)
    await updateProviderSecrets(tx, key, { secret, previousSecret: provider.secret, previousSecretEndsAt })
    const subject = { type: 'payment_provider', id: providerId }
    const after = { previous_secret_ends_at: previousSecretEndsAt.toISOString() }
    audit({ action: 'payment_provider.rotated', subject, after })
    return { ...viewPaymentProvider({ ...provider, previousSecretEndsAt }), secret: generated }
  },
  { policy: 'payment_provider', subject: 'payment_provider', fingerprint: paymentProviderFingerprint },
)

/** Returns null for Stripe, which generates its secrets. */
function generateSecret({ kind }: PaymentProviderRow, given: string | undefined): string | null {
  if (kind === 'standard' && given === undefined) return newSigningSecret()
  if (kind === 'stripe' && given !== undefined) return null
  const detail =
    kind === 'stripe'
      ? 'The member secret is missing: send the signing secret that Stripe shows.'
      : 'The member secret is not allowed: the service generates the secret of a standard provider.'
  throw validationFailed([{ detail, pointer: '/secret' }])
}
