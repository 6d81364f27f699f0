import { createTenant } from '../../../src/access/tenants/create-tenant.ts'
import { updateCellLimits, updateDirectoryLimits } from '../../../src/access/tenants/tenant-limits.sql.ts'
import type { TenantLimits } from '../../../src/access/tenants/tenant-limits.ts'
import { policies as allPolicies, type Policy } from '../../../src/platform/api/declare/approval.ts'
import type { Config } from '../../../src/platform/base/config.ts'
import { inCellTransaction, inDirectoryTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../../src/platform/postgres/pools.ts'
import { Vaults } from '../../../src/platform/postgres/vault.ts'

/** Part of a TestInstallation that creating tenants needs. */
interface Installation {
  readonly config: Config
  readonly databases: Databases
  rows(text: string, values: unknown[]): Promise<unknown[]>
}

export interface NewTenant {
  cell?: string
  /** `default` creates a tenant like `maintain create-tenant`. */
  policies?: 'none' | 'default'
}

/**
 * Creates a tenant that needs a second person only where every tenant does, so that a test of something else can act
 * alone. Its limits are so high that no test reaches them by accident.
 */
export async function createTestTenant(
  installation: Installation,
  name: string,
  { cell = 'main', policies = 'none' }: NewTenant = {},
): Promise<string> {
  const { databases, config } = installation
  const { tenantId } = await createTenant(databases, new Vaults(config.dataMasterKeys), { name, cell })
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
    updateDirectoryLimits(tx, tenantId, highLimits),
  )
  await inCellTransaction(databases, { cell, tenantId }, (tx) => updateCellLimits(tx, tenantId, highLimits))
  if (policies === 'none')
    await installation.rows('insert into directory.approval_policy (tenant_id, policy) select $1, unnest($2::text[])', [
      tenantId,
      allPolicies,
    ])
  return tenantId
}

/** Sets the amount in minor units from which the tenant needs a second person; null if one person always suffices. */
export async function setThreshold(
  installation: Pick<Installation, 'rows'>,
  tenantId: string,
  policy: Policy,
  fromMinor: number | null,
): Promise<void> {
  await installation.rows(
    `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, $2, $3)
     on conflict (tenant_id, policy) do update set from_minor = excluded.from_minor`,
    [tenantId, policy, fromMinor],
  )
}

const highLimits: TenantLimits = {
  requestsPerMinute: 600_000,
  credentials: 10_000,
  users: 10_000,
  personalTokens: 10_000,
  invitationsPerDay: 10_000,
  paymentProviders: 1_000,
  webhookEndpoints: 1_000,
  fileMebibytes: 1_000_000,
}
