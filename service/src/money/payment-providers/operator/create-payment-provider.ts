import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { newId } from '../../../platform/base/ids.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { paymentProviderErrors } from '../payment-provider.errors.ts'
import { NewProvider, newProviderExamples, ProviderWithSecret } from '../payment-provider.schema.ts'
import { insertProvider } from '../payment-provider.sql.ts'
import { viewProvider } from '../payment-provider.view.ts'
import { placePaymentProvider } from '../place-payment-provider.job.ts'
import { newSigningSecret, sealedSecret } from '../signing-secret.ts'

export const createPaymentProvider = operatorOperation(
  {
    id: 'createPaymentProvider',
    summary: 'Let a payment provider tell of payments',
    description:
      'The provider sends its notices to `notice_path`, signed. Stripe brings its secret along; for any other one it ' +
      'is made here and shown this once. Notices are taken a moment after the answer.',
    tag: 'Payment providers',
    method: 'POST',
    path: '/payment-providers',
    role: 'admin',
    // An answer that is kept for a key would keep the secret.
    idempotency: 'none',
    body: NewProvider,
    bodyExamples: newProviderExamples,
    success: { status: 201, body: ProviderWithSecret },
    errors: [paymentProviderErrors.payment_provider_exists],
  },
  async ({ body }, { tenantId, tx, vault, now, audit }) => {
    const id = newId()
    const { kind, name = 'stripe' } = body
    const made = kind === 'standard' ? newSigningSecret() : null
    const secret = await vault.seal(made ?? body.secret ?? '', sealedSecret(id))
    const provider = await insertProvider(tx, tenantId, { id, kind, name, secret, now })
    if (!provider)
      throw new ApiError(
        paymentProviderErrors.payment_provider_exists,
        `A payment provider called ${name} is live. Disable it first.`,
      )
    await enqueueJob(tx, placePaymentProvider, { tenant_id: tenantId, provider_id: id })
    audit({ action: 'payment_provider.created', subject: { type: 'payment_provider', id }, after: { kind, name } })
    return { ...viewProvider(provider), secret: made }
  },
)
