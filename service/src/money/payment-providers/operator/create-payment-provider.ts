import { tenantErrors } from '../../../access/tenants/tenant.errors.ts'
import { findCellLimits } from '../../../access/tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../../../access/tenants/tenant-limits.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { newId } from '../../../platform/base/ids.ts'
import { newSigningSecret } from '../../../platform/base/signing-secret.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { addProviderToDirectory } from '../add-provider-to-directory.job.ts'
import { paymentProviderErrors } from '../payment-provider.errors.ts'
import { NewProvider, newProviderExamples, ProviderWithSecret } from '../payment-provider.schema.ts'
import { countEnabledProviders, insertPaymentProvider, lockPaymentProviders } from '../payment-provider.sql.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'
import { signingSecretContext } from '../signing-secret-context.ts'

export const createPaymentProvider = operatorOperation(
  {
    id: 'createPaymentProvider',
    summary: 'Create a payment provider',
    description:
      'Allows the provider to send signed payment notifications to `notification_path`. For Stripe, send the ' +
      'signing secret that Stripe shows; for any other provider, the service generates the secret and returns it ' +
      'only in this response. Notifications are accepted from a moment after the response.',
    tag: 'Payment providers',
    method: 'POST',
    path: '/payment-providers',
    duty: 'integrations',
    approval: 'policy',
    // A response stored for an idempotency key would contain the secret.
    idempotency: 'none',
    body: NewProvider,
    bodyExamples: newProviderExamples,
    success: { status: 201, body: ProviderWithSecret },
    errors: [paymentProviderErrors.payment_provider_exists, tenantErrors.tenant_limit_reached],
  },
  async ({ body }, { tenantId, tx, vault, now, audit }) => {
    // Locked before counting, so that two concurrent requests cannot both pass the limit.
    const [, used, limits] = await tx.batch(
      (tx) => lockPaymentProviders(tx, tenantId),
      (tx) => countEnabledProviders(tx, tenantId),
      (tx) => findCellLimits(tx, tenantId),
    )
    requireWithinLimit('paymentProviders', used + 1, limits.paymentProviders)
    const id = newId()
    const { kind, name = 'stripe' } = body
    const generated = kind === 'standard' ? newSigningSecret() : null
    const secret = await vault.seal(generated ?? body.secret ?? '', signingSecretContext(id))
    const provider = await insertPaymentProvider(tx, tenantId, { id, kind, name, secret, now })
    if (!provider)
      throw new ApiError(
        paymentProviderErrors.payment_provider_exists,
        `An enabled payment provider is already named ${name}. Disable it or choose another name.`,
      )
    await enqueueJob(tx, addProviderToDirectory, { tenant_id: tenantId, provider_id: id })
    audit({ action: 'payment_provider.created', subject: { type: 'payment_provider', id }, after: { kind, name } })
    return { ...viewPaymentProvider(provider), secret: generated }
  },
  { policy: 'payment_provider', subject: 'tenant' },
)
