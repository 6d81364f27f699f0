import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { KycProvider } from '../kyc-provider.schema.ts'
import { kycProviderTable } from '../kyc-provider.sql.ts'
import { viewKycProvider } from '../kyc-provider.view.ts'

export const listKycProviders = keysetListOperation(
  {
    id: 'listKycProviders',
    summary: 'List KYC providers',
    description: 'Enabled and disabled providers. Secrets are never shown.',
    tag: 'KYC providers',
    path: '/kyc-providers',
    duty: 'read',
    item: KycProvider,
    sorts: ['created_at'],
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const { count, rows } = await kycProviderTable.page(tx, tenantId, page)
    return { count, ...pageOf(rows, page, viewKycProvider) }
  },
)
