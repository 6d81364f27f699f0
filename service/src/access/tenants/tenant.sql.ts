import type { Role } from '../../platform/api/declare/roles.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface UserRow {
  userId: string
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

/** False where the tenant already has an user with this address. */
export async function insertUser(
  tx: Transaction,
  { tenantId, userId, name, email, role }: UserRow & { tenantId: string },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into directory.operator_user (tenant_id, id, name, email, role)
    values (${tenantId}, ${userId}, ${name}, ${email}, ${role})
    on conflict do nothing
    returning id`)
  return inserted !== undefined
}

/** Those who decide about the tenant, and are told when something is wrong with it. */
export function selectAdmins(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select id as "userId", name, email, role
    from directory.operator_user
    where tenant_id = ${tenantId} and role = 'admin' and removed_at is null
    order by created_at, id`)
}

export function findUser(
  tx: Transaction,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<UserRow | undefined> {
  return tx.row<UserRow>(sql`
    select id as "userId", name, email, role
    from directory.operator_user
    where tenant_id = ${tenantId} and id = ${userId} and removed_at is null`)
}
