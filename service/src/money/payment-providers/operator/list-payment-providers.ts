import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { PaymentProvider } from '../payment-provider.schema.ts'
import { paymentProviderTable } from '../payment-provider.sql.ts'
import { viewPaymentProvider } from '../payment-provider.view.ts'

export const listPaymentProviders = keysetListOperation(
  {
    id: 'listPaymentProviders',
    summary: 'List payment providers',
    description: 'Enabled and disabled providers. Secrets are never shown.',
    tag: 'Payment providers',
    path: '/payment-providers',
    duty: 'read',
    item: PaymentProvider,
    sorts: ['created_at'],
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const { count, rows } = await paymentProviderTable.page(tx, tenantId, page)
    return { count, ...pageOf(rows, page, viewPaymentProvider) }
  },
)
