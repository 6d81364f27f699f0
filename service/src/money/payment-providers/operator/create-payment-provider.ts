import { createProvider } from '../../../access/providers/providers.ts'
import { tenantErrors } from '../../../access/tenants/tenant.errors.ts'
import { findCellLimits } from '../../../access/tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../../../access/tenants/tenant-limits.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { paymentProviderErrors } from '../payment-provider.errors.ts'
import { NewProvider, newProviderExamples, ProviderWithSecret } from '../payment-provider.schema.ts'
import { insertPaymentProvider, paymentProviderTable } from '../payment-provider.sql.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'
import { paymentProviderType } from '../payment-provider-type.ts'

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
  async ({ body }, context) => {
    const { tenantId, tx } = context
    // Locked before counting, so that two concurrent requests cannot both pass the limit.
    const [, used, limits] = await tx.batch(
      (tx) => paymentProviderTable.lockAll(tx, tenantId),
      (tx) => paymentProviderTable.countEnabled(tx, tenantId),
      (tx) => findCellLimits(tx, tenantId),
    )
    requireWithinLimit('paymentProviders', used + 1, limits.paymentProviders)
    const { kind, name = 'stripe' } = body
    const { provider, generated } = await createProvider(paymentProviderType, context, { ...body, name }, (row) =>
      insertPaymentProvider(tx, tenantId, { ...row, kind, name }),
    )
    return { ...viewPaymentProvider(provider), secret: generated }
  },
  { policy: 'payment_provider', subject: 'tenant' },
)
