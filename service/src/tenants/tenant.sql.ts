import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Role } from '../http/roles.ts'

export interface AdministratorRow {
  administratorId: string
  name: string
  email: string
  role: Role
}

/** In the directory. */
export async function insertTenant(
  tx: Transaction,
  { tenantId, name, cell }: { tenantId: string; name: string; cell: string },
): Promise<void> {
  await tx.rows(sql`insert into directory.tenant (id, name, cell) values (${tenantId}, ${name}, ${cell})`)
}

/** In the tenant's cell: the row that all its other rows refer to. */
export async function insertTenantIntoCell(tx: Transaction, tenantId: string): Promise<void> {
  await tx.rows(sql`insert into cell.tenant (id) values (${tenantId})`)
}

/** False where there is no such tenant. */
export async function disableTenant(tx: Transaction, tenantId: string): Promise<boolean> {
  const disabled = await tx.row(sql`
    update directory.tenant set disabled_at = coalesce(disabled_at, now()) where id = ${tenantId} returning id`)
  return disabled !== undefined
}

export async function findTenantName(tx: Transaction, tenantId: string): Promise<string | undefined> {
  const found = await tx.row<{ name: string }>(sql`select name from directory.tenant where id = ${tenantId}`)
  return found?.name
}

export async function tenantExists(tx: Transaction, tenantId: string): Promise<boolean> {
  return (await tx.row(sql`select from directory.tenant where id = ${tenantId}`)) !== undefined
}

/** False where the tenant already has an administrator with this address. */
export async function insertAdministrator(
  tx: Transaction,
  { tenantId, administratorId, name, email, role }: AdministratorRow & { tenantId: string },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into directory.administrator (tenant_id, id, name, email, role)
    values (${tenantId}, ${administratorId}, ${name}, ${email}, ${role})
    on conflict do nothing
    returning id`)
  return inserted !== undefined
}

/** Those who decide about the tenant, and are told when something is wrong with it. */
export function listAdministrators(tx: Transaction, tenantId: string): Promise<AdministratorRow[]> {
  return tx.rows<AdministratorRow>(sql`
    select id as "administratorId", name, email, role
    from directory.administrator
    where tenant_id = ${tenantId} and role = 'administrator' and removed_at is null
    order by created_at, id`)
}

export function findAdministrator(
  tx: Transaction,
  { tenantId, administratorId }: { tenantId: string; administratorId: string },
): Promise<AdministratorRow | undefined> {
  return tx.row<AdministratorRow>(sql`
    select id as "administratorId", name, email, role
    from directory.administrator
    where tenant_id = ${tenantId} and id = ${administratorId} and removed_at is null`)
}
