import type { SubjectVersion } from '../../platform/api/declare/approval.ts'
import type { Duty, GrantedDuty } from '../../platform/api/declare/duties.ts'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'

export interface UserKey {
  tenantId: string
  userId: string
}

export interface UserRow {
  id: string
  kind: 'person' | 'service'
  name: string
  /** Null for a service user. */
  email: string | null
  /** Null until the person has accepted the invitation, and for a service user. */
  identityId: string | null
  invitedBy: string | null
  duties: (GrantedDuty & { grantedBy: string | null; grantedAt: string })[]
  createdAt: Date
  removedAt: Date | null
}

const columns = sql`
  operator_user.id, operator_user.kind, operator_user.name, operator_user.email,
  operator_user.identity_id as "identityId", operator_user.invited_by as "invitedBy",
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'duty', granted.duty, 'offeringIds', granted.offering_ids, 'grantedBy', granted.granted_by,
      'grantedAt', granted.granted_at
    ) order by granted.duty)
    from directory.operator_duty granted
    where granted.tenant_id = operator_user.tenant_id and granted.user_id = operator_user.id
  ), '[]') as duties,
  operator_user.created_at as "createdAt", operator_user.removed_at as "removedAt"`

/** Returns false if the tenant already has a user with this e-mail address. */
export async function insertUser(
  tx: Transaction,
  user: Pick<UserRow, 'id' | 'kind' | 'name' | 'email' | 'invitedBy'> & { tenantId: string },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into directory.operator_user (tenant_id, id, kind, name, email, invited_by)
    values (${user.tenantId}, ${user.id}, ${user.kind}, ${user.name}, ${user.email}, ${user.invitedBy})
    on conflict do nothing
    returning id`)
  return inserted !== undefined
}

/** Replaces the duties of a user. A duty that stays keeps who granted it and when. */
export async function replaceDuties(
  tx: Transaction,
  { tenantId, userId }: UserKey,
  duties: readonly GrantedDuty[],
  grantedBy: string | null,
): Promise<void> {
  const names = duties.map(({ duty }) => duty)
  await tx.rows(sql`
    delete from directory.operator_duty
    where tenant_id = ${tenantId} and user_id = ${userId} and not (duty = any (${names}))`)
  for (const { duty, offeringIds } of duties)
    await tx.rows(sql`
      insert into directory.operator_duty (tenant_id, user_id, duty, offering_ids, granted_by)
      values (${tenantId}, ${userId}, ${duty}, ${offeringIds}, ${grantedBy})
      on conflict (tenant_id, user_id, duty) do update
      set offering_ids = excluded.offering_ids, granted_by = excluded.granted_by, granted_at = now()
      where operator_duty.offering_ids is distinct from excluded.offering_ids`)
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

/** As many as the limits of the tenant allow. */
export function selectAllUsers(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null`)
}

/** The people with a duty, for mails to them. */
export function selectDutyHolders(
  tx: Transaction,
  { tenantId, duty }: { tenantId: string; duty: Duty },
): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.kind = 'person' and operator_user.removed_at is null
      and exists (
        select from directory.operator_duty granted
        where granted.tenant_id = ${tenantId} and granted.user_id = operator_user.id and granted.duty = ${duty}
      )
    order by operator_user.created_at, operator_user.id`)
}

export function findUser(tx: Transaction, { tenantId, userId }: UserKey): Promise<UserRow | undefined> {
  return tx.row<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.id = ${userId}
      and operator_user.removed_at is null`)
}

/**
 * Locks all users of the tenant in one order. Removing a user or changing duties requires this lock: if two users
 * remove each other concurrently, the second transaction waits and then sees who is left.
 */
export function lockUsers(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null
    order by operator_user.id
    for no key update`)
}

export async function removeLockedUser(tx: Transaction, { tenantId, userId }: UserKey, removedAt: Date): Promise<void> {
  await tx.rows(sql`
    update directory.operator_user set removed_at = ${removedAt}
    where tenant_id = ${tenantId} and id = ${userId}`)
}

/** The version of a user and their duties. Locks all users, in the order in which the change itself does. */
export const userVersion: SubjectVersion = async ({ tenantId, id }, tx) => {
  await lockUsers(tx, tenantId)
  const found = await tx.row<{ version: string }>(sql`
    select md5(row(operator_user.*, array(
      select granted from directory.operator_duty granted
      where granted.tenant_id = ${tenantId} and granted.user_id = operator_user.id order by granted.duty
    ))::text) as version
    from directory.operator_user where operator_user.tenant_id = ${tenantId} and operator_user.id = ${id}`)
  return found?.version ?? ''
}
