import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { PaymentProvider } from '../payment-provider.schema.ts'
import { countProviders, listProviders } from '../payment-provider.sql.ts'
import { viewProvider } from '../payment-provider.view.ts'

export const listPaymentProviders = operatorListOperation(
  {
    id: 'listPaymentProviders',
    summary: 'List payment providers',
    description: 'Who may tell of payments, or could once. Secrets are never shown.',
    tag: 'Payment providers',
    path: '/payment-providers',
    role: 'viewer',
    item: PaymentProvider,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countProviders(tx, tenantId), listProviders(tx, tenantId, page)])
    return { count, results: rows.map(viewProvider) }
  },
)
