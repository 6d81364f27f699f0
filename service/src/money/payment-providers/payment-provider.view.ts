import type { Static } from 'typebox'
import { integratorPrefixes } from '../../platform/api/server/routes.ts'
import type { PaymentProvider } from './payment-provider.schema.ts'
import type { PaymentProviderSummary } from './payment-provider.sql.ts'

export function viewPaymentProvider(row: PaymentProviderSummary): Static<typeof PaymentProvider> {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    notification_path: `${integratorPrefixes[0]}/payment-notifications/${row.id}`,
    previous_secret_ends_at: row.previousSecretEndsAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    disabled_at: row.disabledAt?.toISOString() ?? null,
    last_notification_at: row.lastNotificationAt?.toISOString() ?? null,
  }
}
