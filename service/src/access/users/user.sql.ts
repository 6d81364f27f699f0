import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import type { Role } from '../../platform/api/declare/roles.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface UserKey {
  tenantId: string
  userId: string
}

export interface PresentUser {
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

export async function countPresentUsers(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null`)
  return found?.count ?? 0
}

/** Their ids say nothing of time, so they are in the order of their invitation. */
export function listPresentUsers(tx: Transaction, tenantId: string, page: Page): Promise<PresentUser[]> {
  return tx.rows<PresentUser>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null
    ${filteredCut(sql`(operator_user.created_at, operator_user.id)`, page)}`)
}

export function findPresentUser(tx: Transaction, { tenantId, userId }: UserKey): Promise<PresentUser | undefined> {
  return tx.row<PresentUser>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.id = ${userId}
      and operator_user.removed_at is null`)
}

/** The same, held until the end of the transaction. */
export function lockPresentUser(tx: Transaction, { tenantId, userId }: UserKey): Promise<PresentUser | undefined> {
  return tx.row<PresentUser>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.id = ${userId}
      and operator_user.removed_at is null
    for no key update`)
}

/**
 * All who run the tenant, held until the end of the transaction. Whoever takes a role or a person away holds all of
 * them, in one order: of two who would each leave the other one as the last, the second waits and then sees it.
 */
export function lockPresentUsers(tx: Transaction, tenantId: string): Promise<PresentUser[]> {
  return tx.rows<PresentUser>(sql`
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
