import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** Inserts the tenant into the directory. */
export async function insertTenant(
  tx: Transaction,
  tenant: { tenantId: string; name: string; cell: string; identityProvider: string | null },
): Promise<void> {
  const { tenantId } = tenant
  await tx.rows(sql`
    insert into directory.tenant (id, name, cell, identity_provider)
    values (${tenantId}, ${tenant.name}, ${tenant.cell}, ${tenant.identityProvider})`)
  // Whoever records a payment or prepares a payout must not release it.
  await tx.rows(sql`
    insert into directory.forbidden_duty_pair (tenant_id, duty, other_duty) values (${tenantId}, 'money', 'release')`)
}

/** Inserts the row in the tenant's cell that all other rows of the tenant reference. */
export async function insertTenantIntoCell(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`insert into cell.tenant (id) values (${tenantId})`)
}

/** Returns false if the tenant does not exist. */
export async function disableTenant(tx: Transaction, tenantId: string): Promise<boolean> {
  const disabled = await tx.row(sql`
    update directory.tenant set disabled_at = coalesce(disabled_at, now()) where id = ${tenantId} returning id`)
  return disabled !== undefined
}

/** Returns false if the tenant does not exist or is not disabled. */
export async function enableTenant(tx: Transaction, tenantId: string): Promise<boolean> {
  const enabled = await tx.row(sql`
    update directory.tenant set disabled_at = null where id = ${tenantId} and disabled_at is not null returning id`)
  return enabled !== undefined
}

export async function findTenantName(tx: Transaction, tenantId: string): Promise<string | undefined> {
  const found = await tx.row<{ name: string }>(sql`select name from directory.tenant where id = ${tenantId}`)
  return found?.name
}

export async function tenantExists(tx: Transaction, tenantId: string): Promise<boolean> {
  return (await tx.row(sql`select from directory.tenant where id = ${tenantId}`)) !== undefined
}

export interface SignInFacts {
  name: string
  /** Name of the provider in the settings; null if its people sign in with passkeys. */
  identityProvider: string | null
  isDisabled: boolean
}

/** Needs a transaction of the tenant, or one that presents a session or an invitation of it. */
export function findSignInFacts(tx: Transaction, tenantId: string): Promise<SignInFacts | undefined> {
  return tx.row<SignInFacts>(sql`
    select name, identity_provider as "identityProvider", disabled_at is not null as "isDisabled"
    from directory.tenant where id = ${tenantId}`)
}

export async function setIdentityProvider(tx: Transaction, tenantId: string, provider: string | null): Promise<void> {
  await tx.rows(sql`update directory.tenant set identity_provider = ${provider} where id = ${tenantId}`)
}

/** Returns the tenants that a person runs. Needs a transaction that presents the person's id. */
export function selectTenantsOfPerson(tx: Transaction, identityId: string): Promise<{ id: string; name: string }[]> {
  return tx.rows(sql`
    select tenant.id, tenant.name from directory.tenant
    join directory.operator_user on operator_user.tenant_id = tenant.id
    where operator_user.identity_id = ${identityId} and operator_user.removed_at is null
    order by tenant.name, tenant.id`)
}

/** Returns the chains on which the tenant has a signer. Needs a transaction of its cell. */
export async function selectChains(tx: Transaction, tenantId: string): Promise<string[]> {
  const rows = await tx.rows<{ chain: string }>(sql`
    select chain from cell.chain_signer where tenant_id = ${tenantId} order by chain`)
  return rows.map(({ chain }) => chain)
}
