import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { providerKinds } from './payment-provider.schema.ts'

export interface ProviderKey {
  tenantId: string
  providerId: string
}

export interface ProviderRow {
  id: string
  kind: (typeof providerKinds)[number]
  name: string
  previousEndsAt: Date | null
  createdAt: Date
  disabledAt: Date | null
}

/** With what it signs, sealed. */
export interface ProviderWithSecrets extends ProviderRow {
  secret: Buffer
  previousSecret: Buffer | null
}

const columns = sql`
  id, kind, name, previous_ends_at as "previousEndsAt", created_at as "createdAt", disabled_at as "disabledAt"`

/** Undefined where one of this name is live. */
export function insertProvider(
  tx: Transaction,
  tenantId: string,
  provider: Pick<ProviderWithSecrets, 'id' | 'kind' | 'name' | 'secret'> & { now: Date },
): Promise<ProviderRow | undefined> {
  return tx.row<ProviderRow>(sql`
    insert into cell.payment_provider (tenant_id, id, kind, name, secret, created_at)
    values (${tenantId}, ${provider.id}, ${provider.kind}, ${provider.name}, ${provider.secret}, ${provider.now})
    on conflict (tenant_id, name) where disabled_at is null do nothing
    returning ${columns}`)
}

export function findProviderWithSecrets(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
): Promise<ProviderWithSecrets | undefined> {
  return tx.row<ProviderWithSecrets>(sql`
    select ${columns}, secret, previous_secret as "previousSecret" from cell.payment_provider
    where tenant_id = ${tenantId} and id = ${providerId}`)
}

/** The provider as it is now, held until the end of the transaction. */
export function lockProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
): Promise<ProviderWithSecrets | undefined> {
  return tx.row<ProviderWithSecrets>(sql`
    select ${columns}, secret, previous_secret as "previousSecret" from cell.payment_provider
    where tenant_id = ${tenantId} and id = ${providerId} for update`)
}

export async function changeSecret(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  { secret, previousSecret, previousEndsAt }: { secret: Buffer; previousSecret: Buffer; previousEndsAt: Date },
): Promise<void> {
  await tx.rows(sql`
    update cell.payment_provider
    set secret = ${secret}, previous_secret = ${previousSecret}, previous_ends_at = ${previousEndsAt}
    where tenant_id = ${tenantId} and id = ${providerId}`)
}

export async function switchOffProvider(
  tx: Transaction,
  { tenantId, providerId }: ProviderKey,
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update cell.payment_provider set disabled_at = ${now} where tenant_id = ${tenantId} and id = ${providerId}`)
}

export async function countProviders(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payment_provider where tenant_id = ${tenantId}`)
  return found?.count ?? 0
}

export function listProviders(tx: Transaction, tenantId: string, page: Page): Promise<ProviderRow[]> {
  return tx.rows<ProviderRow>(sql`
    select ${columns} from cell.payment_provider where tenant_id = ${tenantId} ${filteredCut(sql`id`, page)}`)
}

/** In the directory: from now on the id leads to the tenant. Safe to repeat. */
export async function placeProvider(tx: Transaction, { tenantId, providerId }: ProviderKey): Promise<void> {
  await tx.rows(sql`
    insert into directory.payment_provider (tenant_id, id) values (${tenantId}, ${providerId}) on conflict do nothing`)
}

/** In the directory, in a transaction that names this provider: whose it is. */
export async function findTenantOfProvider(tx: Transaction, providerId: string): Promise<string | undefined> {
  const found = await tx.row<{ tenantId: string }>(sql`
    select tenant_id as "tenantId" from directory.payment_provider where id = ${providerId}`)
  return found?.tenantId
}

/** In the directory, in a transaction of the tenant. */
export async function isTenantEnabled(tx: Transaction, tenantId: string): Promise<boolean> {
  const found = await tx.row(sql`select id from directory.tenant where id = ${tenantId} and disabled_at is null`)
  return found !== undefined
}
