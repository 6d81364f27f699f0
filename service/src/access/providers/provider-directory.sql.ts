import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** External services that send signed notifications. Each type has a table in the directory and one in the cell. */
export type ProviderType = 'payment_provider' | 'kyc_provider'

export interface ProviderKey {
  tenantId: string
  providerId: string
}

const tables: Readonly<Record<ProviderType, Sql>> = {
  payment_provider: raw('directory.payment_provider'),
  kyc_provider: raw('directory.kyc_provider'),
}

/** Maps the provider id to the tenant, in the directory. Idempotent. */
export async function insertDirectoryProvider(
  tx: Transaction,
  type: ProviderType,
  { tenantId, providerId }: ProviderKey,
): Promise<void> {
  await tx.rows(sql`
    insert into ${tables[type]} (tenant_id, id) values (${tenantId}, ${providerId}) on conflict do nothing`)
}

/** Runs in the directory, in a transaction whose identity is this provider: row-level security shows it no other. */
export async function findTenantOfProvider(
  tx: Transaction,
  type: ProviderType,
  providerId: string,
): Promise<string | undefined> {
  const found = await tx.row<{ tenantId: string }>(sql`
    select tenant_id as "tenantId" from ${tables[type]} where id = ${providerId}`)
  return found?.tenantId
}

/** Runs in the directory, in a transaction of the tenant. */
export async function isTenantEnabled(tx: Transaction, tenantId: string): Promise<boolean> {
  const found = await tx.row(sql`select id from directory.tenant where id = ${tenantId} and disabled_at is null`)
  return found !== undefined
}
