import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { filteredCut } from '../http/page.sql.ts'
import type { Page } from '../http/page.ts'
import type { Role } from '../http/roles.ts'

export interface AdministratorKey {
  tenantId: string
  administratorId: string
}

export interface PresentAdministrator {
  id: string
  name: string
  email: string
  role: Role
  createdAt: Date
  removedAt: Date | null
}

const columns = sql`
  administrator.id, administrator.name, administrator.email, administrator.role,
  administrator.created_at as "createdAt", administrator.removed_at as "removedAt"`

export async function countPresentAdministrators(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.administrator
    where administrator.tenant_id = ${tenantId} and administrator.removed_at is null`)
  return found?.count ?? 0
}

/** Their ids say nothing of time, so they are in the order of their invitation. */
export function listPresentAdministrators(
  tx: Transaction,
  tenantId: string,
  page: Page,
): Promise<PresentAdministrator[]> {
  return tx.rows<PresentAdministrator>(sql`
    select ${columns} from directory.administrator
    where administrator.tenant_id = ${tenantId} and administrator.removed_at is null
    ${filteredCut(sql`(administrator.created_at, administrator.id)`, page)}`)
}

export function findPresentAdministrator(
  tx: Transaction,
  { tenantId, administratorId }: AdministratorKey,
): Promise<PresentAdministrator | undefined> {
  return tx.row<PresentAdministrator>(sql`
    select ${columns} from directory.administrator
    where administrator.tenant_id = ${tenantId} and administrator.id = ${administratorId}
      and administrator.removed_at is null`)
}

/** The same, held until the end of the transaction. */
export function lockPresentAdministrator(
  tx: Transaction,
  { tenantId, administratorId }: AdministratorKey,
): Promise<PresentAdministrator | undefined> {
  return tx.row<PresentAdministrator>(sql`
    select ${columns} from directory.administrator
    where administrator.tenant_id = ${tenantId} and administrator.id = ${administratorId}
      and administrator.removed_at is null
    for no key update`)
}

/**
 * All who run the tenant, held until the end of the transaction. Whoever takes a role or a person away holds all of
 * them, in one order: of two who would each leave the other one as the last, the second waits and then sees it.
 */
export function lockPresentAdministrators(tx: Transaction, tenantId: string): Promise<PresentAdministrator[]> {
  return tx.rows<PresentAdministrator>(sql`
    select ${columns} from directory.administrator
    where administrator.tenant_id = ${tenantId} and administrator.removed_at is null
    order by administrator.id
    for no key update`)
}

export async function updateLockedRole(
  tx: Transaction,
  { tenantId, administratorId }: AdministratorKey,
  role: Role,
): Promise<void> {
  await tx.rows(sql`
    update directory.administrator set role = ${role} where tenant_id = ${tenantId} and id = ${administratorId}`)
}

export async function removeLockedAdministrator(
  tx: Transaction,
  { tenantId, administratorId }: AdministratorKey,
  removedAt: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.administrator set removed_at = ${removedAt}
    where tenant_id = ${tenantId} and id = ${administratorId}`)
}
