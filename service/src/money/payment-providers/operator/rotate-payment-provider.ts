import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { paymentProviderErrors } from '../payment-provider.errors.ts'
import { ProviderPath, ProviderRotation, ProviderWithSecret } from '../payment-provider.schema.ts'
import { changeSecret, lockProvider, type ProviderRow } from '../payment-provider.sql.ts'
import { viewProvider } from '../payment-provider.view.ts'
import { newSigningSecret, sealedSecret, secretOverlapMs } from '../signing-secret.ts'

export const rotatePaymentProvider = operatorOperation(
  {
    id: 'rotatePaymentProvider',
    summary: 'Give a payment provider a new secret',
    description:
      'The secret in use goes on counting for 24 hours, so that the provider changes over without a gap; one from ' +
      'before it ends at once. For Stripe send the new one, for any other it is made here and shown this once.',
    tag: 'Payment providers',
    method: 'POST',
    path: '/payment-providers/:providerId/rotate',
    role: 'admin',
    idempotency: 'none',
    params: ProviderPath,
    body: ProviderRotation,
    success: { status: 200, body: ProviderWithSecret },
    errors: [requestErrors.not_found, paymentProviderErrors.payment_provider_disabled],
  },
  async ({ params: { providerId }, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, providerId }
    const provider = await lockProvider(tx, key)
    if (!provider) throw new ApiError(requestErrors.not_found, 'There is no such payment provider.')
    if (provider.disabledAt)
      throw new ApiError(paymentProviderErrors.payment_provider_disabled, 'The payment provider is disabled.')
    const made = madeSecret(provider, body.secret)
    const secret = await vault.seal(made ?? body.secret ?? '', sealedSecret(providerId))
    const previousEndsAt = new Date(now.getTime() + secretOverlapMs)
    await changeSecret(tx, key, { secret, previousSecret: provider.secret, previousEndsAt })
    const subject = { type: 'payment_provider', id: providerId }
    const after = { previous_secret_ends_at: previousEndsAt.toISOString() }
    audit({ action: 'payment_provider.rotated', subject, after })
    return { ...viewProvider({ ...provider, previousEndsAt }), secret: made }
  },
)

/** The one that is made here, or null where the provider brings it along. */
function madeSecret({ kind }: ProviderRow, given: string | undefined): string | null {
  if (kind === 'standard' && given === undefined) return newSigningSecret()
  if (kind === 'stripe' && given !== undefined) return null
  const detail =
    kind === 'stripe'
      ? 'The member secret is missing: send the one that Stripe shows.'
      : 'The member secret must not be there: it is made here.'
  throw validationFailed([{ detail, pointer: '/secret' }])
}
