import type { Static } from 'typebox'
import { integratorPrefixes } from '../../platform/api/server/routes.ts'
import type { PaymentProvider } from './payment-provider.schema.ts'
import type { ProviderRow } from './payment-provider.sql.ts'

export function viewProvider(row: ProviderRow): Static<typeof PaymentProvider> {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    notice_path: `${integratorPrefixes[0]}/payment-notices/${row.id}`,
    previous_secret_ends_at: row.previousEndsAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    disabled_at: row.disabledAt?.toISOString() ?? null,
  }
}
