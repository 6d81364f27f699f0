import type { ProviderKey } from '../../access/providers/provider-directory.sql.ts'
import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { providerKinds } from './payment-provider.schema.ts'

export const paymentProviderFingerprint = rowFingerprint(sql`cell.payment_provider`)

export interface PaymentProviderRow {
  id: string
  kind: (typeof providerKinds)[number]
  name: string
  /** Encrypted. */
  secret: Buffer
  /** Encrypted. */
  previousSecret: Buffer | null
  previousSecretEndsAt: Date | null
  createdAt: Date
  disabledAt: Date | null
  /** Time of the last notification, to the minute; null if there was none. */
  lastNotifiedAt: Date | null
}

export type PaymentProviderSummary = Omit<PaymentProviderRow, 'secret' | 'previousSecret'>

const summaryColumns = sql`
  id, kind, name, previous_secret_ends_at as "previousSecretEndsAt", created_at as "createdAt",
  disabled_at as "disabledAt",
  (select last_notified_at from cell.payment_provider_use
   where payment_provider_use.tenant_id = payment_provider.tenant_id
     and payment_provider_use.provider_id = payment_provider.id) as "lastNotifiedAt"`

const columns = sql`${summaryColumns}, secret, previous_secret as "previousSecret"`

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
    returning ${summaryColumns}`)
}

export function findPaymentProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
): Promise<PaymentProviderRow | undefined> {
  return tx.row<PaymentProviderRow>(sql`
    select ${columns} from cell.payment_provider where tenant_id = ${tenantId} and id = ${providerId}`)
}

export function lockPaymentProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
): Promise<PaymentProviderRow | undefined> {
  return tx.row<PaymentProviderRow>(sql`
    select ${columns} from cell.payment_provider where tenant_id = ${tenantId} and id = ${providerId} for update`)
}

export async function updateProviderSecrets(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  {
    secret,
    previousSecret,
    previousSecretEndsAt,
  }: { secret: Buffer; previousSecret: Buffer; previousSecretEndsAt: Date },
): Promise<void> {
  await tx.rows(sql`
    update cell.payment_provider
    set secret = ${secret}, previous_secret = ${previousSecret}, previous_secret_ends_at = ${previousSecretEndsAt}
    where tenant_id = ${tenantId} and id = ${providerId}`)
}

export async function setProviderDisabled(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update cell.payment_provider set disabled_at = ${now} where tenant_id = ${tenantId} and id = ${providerId}`)
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

/** Lets one transaction of the tenant at a time create a provider. */
export async function lockPaymentProviders(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`payment providers ${tenantId}`}, 0))`)
}

export async function countEnabledProviders(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payment_provider where tenant_id = ${tenantId} and disabled_at is null`)
  return found?.count ?? 0
}

export function countPaymentProviders(tx: Transaction, tenantId: string): Promise<number> {
  return boundedCount(tx, sql`from cell.payment_provider where tenant_id = ${tenantId}`)
}

/** Orders by creation time: provider ids are random and do not sort by time. */
export function selectPaymentProviders(
  tx: Transaction,
  tenantId: string,
  page: KeysetPage,
): Promise<(PaymentProviderSummary & KeysetRow)[]> {
  const cut = keysetCut(sql`id`, page, { created_at: { column: sql`created_at`, type: 'timestamptz' } })
  return tx.rows(sql`
    select ${summaryColumns}, ${cut.column} from cell.payment_provider
    where tenant_id = ${tenantId} and ${cut.where} ${cut.orderBy}`)
}
