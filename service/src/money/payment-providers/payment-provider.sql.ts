import { type ProviderRow, providerTable, type SummaryOf } from '../../access/providers/provider.sql.ts'
import type { ProviderKey } from '../../access/providers/provider-directory.sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { providerKinds } from './payment-provider.schema.ts'

export interface PaymentProviderRow extends ProviderRow {
  kind: (typeof providerKinds)[number]
  /** Time of the last notification, to the minute; null if there was none. */
  lastNotificationAt: Date | null
}

export type PaymentProviderSummary = SummaryOf<PaymentProviderRow>

export const paymentProviderTable = providerTable<PaymentProviderRow>(
  'payment_provider',
  sql`
    (select last_notified_at from cell.payment_provider_use
     where payment_provider_use.tenant_id = payment_provider.tenant_id
       and payment_provider_use.provider_id = payment_provider.id) as "lastNotificationAt"`,
)

/** Returns undefined if an enabled provider has the same name. */
export function insertPaymentProvider(
  tx: Transaction,
  tenantId: string,
  provider: Pick<PaymentProviderRow, 'id' | 'kind' | 'name' | 'secret'> & { now: Date },
): Promise<PaymentProviderSummary | undefined> {
  return tx.row<PaymentProviderSummary>(sql`
    insert into cell.payment_provider (tenant_id, id, kind, name, secret, created_at)
    values (${tenantId}, ${provider.id}, ${provider.kind}, ${provider.name}, ${provider.secret}, ${provider.now})
    on conflict (tenant_id, name) where disabled_at is null do nothing
    returning ${paymentProviderTable.summaryColumns}`)
}

/** Records the time at most once a minute, so that notifications do not wait for each other. */
export async function recordNotification(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  now: Date,
): Promise<void> {
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.payment_provider_use set last_notified_at = ${now}
      where tenant_id = ${tenantId} and provider_id = ${providerId}
        and last_notified_at < ${now}::timestamptz - interval '1 minute'`),
    (tx) =>
      tx.rows(sql`
      insert into cell.payment_provider_use (tenant_id, provider_id, last_notified_at)
      values (${tenantId}, ${providerId}, ${now}) on conflict do nothing`),
  )
}
