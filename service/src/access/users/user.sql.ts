import type { SubjectFingerprint } from '../../platform/api/declare/approval.ts'
import type { Duty, GrantedDuty } from '../../platform/api/declare/duties.ts'
import { boundedCount, countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

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

/** Condition for the tenant's users, without those who were removed. */
function isCurrent(tenantId: string): Sql {
  return sql`operator_user.tenant_id = ${tenantId} and operator_user.removed_at is null`
}

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

/** Replaces the duties of a user. A duty that stays keeps the record of who granted it and when. */
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

export function countUsers(tx: Transaction, tenantId: string): Promise<number> {
  return boundedCount(tx, sql`from directory.operator_user where ${isCurrent(tenantId)}`)
}

/** Counts users added in the last 24 hours, including those removed since. */
export async function countRecentUsers(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.operator_user
    where operator_user.tenant_id = ${tenantId} and operator_user.created_at > now() - interval '24 hours'`)
  return found?.count ?? 0
}

/** Sorts by creation time, because user ids are random. Like most reads here, omits removed users. */
export function pageOfUsers(tx: Transaction, tenantId: string, page: KeysetPage) {
  return countedPage<UserRow>(tx, page, {
    columns,
    from: sql`directory.operator_user`,
    where: isCurrent(tenantId),
    id: sql`operator_user.id`,
    keys: { created_at: { column: sql`operator_user.created_at`, type: 'timestamptz' } },
  })
}

/** Returns the names of all users, including removed ones, and of all credentials, by id. */
export async function selectCallerNames(tx: Transaction, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ id: string; name: string }>(sql`
    select id, name from directory.operator_user where tenant_id = ${tenantId}
    union all
    select id, name from directory.credential where tenant_id = ${tenantId}`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Not paged: the tenant's limits bound the number. */
export function selectAllUsers(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`select ${columns} from directory.operator_user where ${isCurrent(tenantId)}`)
}

/** A person who can act as a service user: its creator, or someone who has seen the secret of one of its tokens. */
export interface ControllerRow {
  serviceUserId: string
  userId: string
  identityId: string | null
}

/** Includes people who were removed since, and viewers of tokens that were revoked since. */
export function selectControllers(tx: Transaction, tenantId: string): Promise<ControllerRow[]> {
  return tx.rows<ControllerRow>(sql`
    select service.id as "serviceUserId", person.id as "userId", person.identity_id as "identityId"
    from directory.operator_user service
    join directory.operator_user person
      on person.tenant_id = service.tenant_id
      and (
        person.id = service.invited_by
        or exists (
          select from directory.personal_token token
          where token.tenant_id = service.tenant_id and token.user_id = service.id and token.shown_to = person.id
        )
      )
    where service.tenant_id = ${tenantId} and service.kind = 'service' and service.removed_at is null`)
}

/** Returns the people with a duty, for mails to them. */
export function selectDutyHolders(
  tx: Transaction,
  { tenantId, duty, offeringId = null }: { tenantId: string; duty: Duty; offeringId?: string | null },
): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user
    where ${isCurrent(tenantId)} and operator_user.kind = 'person' and exists (
      select from directory.operator_duty granted
      where granted.tenant_id = ${tenantId} and granted.user_id = operator_user.id and granted.duty = ${duty}
        and (granted.offering_ids is null or ${offeringId}::uuid = any (granted.offering_ids))
    )
    order by operator_user.created_at, operator_user.id`)
}

export function findUser(tx: Transaction, { tenantId, userId }: UserKey): Promise<UserRow | undefined> {
  return tx.row<UserRow>(sql`
    select ${columns} from directory.operator_user where ${isCurrent(tenantId)} and operator_user.id = ${userId}`)
}

/**
 * Locks all users of the tenant in a fixed order. Removing a user or changing duties requires this lock: if two users
 * remove each other concurrently, the second transaction waits and then sees who is left.
 */
export function lockUsers(tx: Transaction, tenantId: string): Promise<UserRow[]> {
  return tx.rows<UserRow>(sql`
    select ${columns} from directory.operator_user where ${isCurrent(tenantId)}
    order by operator_user.id for no key update`)
}

/** Removes a user, and revokes the tokens of service users that they have seen. Returns how many there were. */
export async function removeLockedUser(tx: Transaction, key: UserKey, removedAt: Date): Promise<number> {
  const { tenantId, userId } = key
  await tx.rows(sql`
    update directory.operator_user set removed_at = ${removedAt} where tenant_id = ${tenantId} and id = ${userId}`)
  const revoked = await tx.rows(sql`
    update directory.personal_token set revoked_at = ${removedAt}
    where tenant_id = ${tenantId} and shown_to = ${userId} and revoked_at is null and expires_at > ${removedAt}
    returning id`)
  return revoked.length
}

/** Version of a user and their duties. Locks all users, in the same order as the change itself. */
export const userFingerprint: SubjectFingerprint = async ({ tenantId, id }, tx) => {
  await lockUsers(tx, tenantId)
  const found = await tx.row<{ version: string }>(sql`
    select md5(row(operator_user.*, array(
      select granted from directory.operator_duty granted
      where granted.tenant_id = ${tenantId} and granted.user_id = operator_user.id order by granted.duty
    ))::text) as version
    from directory.operator_user where operator_user.tenant_id = ${tenantId} and operator_user.id = ${id}`)
  return found?.version ?? ''
}
