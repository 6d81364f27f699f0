import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import type { Role } from '../../platform/api/declare/roles.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface UserKey {
  tenantId: string
  userId: string
}

export interface UserRow {
  id: string
  name: string
  email: string
  role: Role
  createdAt: Date
  removedAt: Date | null
}

const columns = sql`
  operator_user.id, operator_user.name, operator_user.email, operator_user.role,
  operator_user.created_at as "createdAt", operator_user.removed_at as "removedAt"`

/** Returns false if the tenant already has a user with this e-mail address. */
export async function insertUser(
  tx: Transaction,
  { tenantId, id, name, email, role }: Pick<UserRow, 'id' | 'name' | 'email' | 'role'> & { tenantId: string },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into directory.operator_user (tenant_id, id, name, email, role)
    values (${tenantId}, ${id}, ${name}, ${email}, ${role})
    on conflict do nothing
    returning id`)
  return inserted !== undefined
}

export async function countUsers(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null`)
  return found?.count ?? 0
}

/** Users added in the last 24 hours, including those who were removed since. */
export async function countRecentUsers(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.created_at > now() - interval '24 hours'`)
  return found?.count ?? 0
}

/** Ordered by creation time: user ids are random and do not sort by time. Like all reads here, omits removed users. */
export function selectUsers(tx: Transaction, tenantId: string, page: Page): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null
    ${filteredCut(sql`(operator_user.created_at, operator_user.id)`, page)}`)
}

/** The users who receive the alerts of the tenant. */
export function selectAdmins(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.role = 'admin' and operator_user.removed_at is null
    order by operator_user.created_at, operator_user.id`)
}

export function findUser(tx: Transaction, { tenantId, userId }: UserKey): Promise<UserRow | undefined> {
  return tx.row<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.id = ${userId}
      and operator_user.removed_at is null`)
}

export function lockUser(tx: Transaction, { tenantId, userId }: UserKey): Promise<UserRow | undefined> {
  return tx.row<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.id = ${userId}
      and operator_user.removed_at is null
    for no key update`)
}

/**
 * Locks all users of the tenant in one order. Removing a user or changing a role requires this lock: if two admins
 * demote each other concurrently, the second transaction waits and then sees that only one admin is left.
 */
export function lockUsers(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null
    order by operator_user.id
    for no key update`)
}

export async function updateLockedRole(tx: Transaction, { tenantId, userId }: UserKey, role: Role): Promise<void> {
  await tx.rows(sql`
    update directory.operator_user set role = ${role} where tenant_id = ${tenantId} and id = ${userId}`)
}

export async function removeLockedUser(tx: Transaction, { tenantId, userId }: UserKey, removedAt: Date): Promise<void> {
  await tx.rows(sql`
    update directory.operator_user set removed_at = ${removedAt}
    where tenant_id = ${tenantId} and id = ${userId}`)
}
