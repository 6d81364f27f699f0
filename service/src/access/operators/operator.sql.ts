import type { Policy } from '../../platform/api/declare/approval.ts'
import type { GrantedDuty } from '../../platform/api/declare/duties.ts'
import type { KnownOperator } from '../../platform/api/declare/services.ts'
import { findInDirectory } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'

interface PresentedSecret extends HashedSecret {
  tenantId: string
  userId: string
  expiresAt: Date
  revokedAt: Date | null
  /** Changes whenever something that `selectOperatorAccess` returns does. */
  stamp: string
}

export interface PresentedToken extends PresentedSecret {
  lastUsedAt: Date | null
}

export interface PresentedSession extends PresentedSecret {
  lastUsedAt: Date
  createdAt: Date
  steppedUpAt: Date | null
  isBreakGlass: boolean
}

export function findPresentedToken(databases: Databases, tokenId: string): Promise<PresentedToken | undefined> {
  return findInDirectory(
    databases,
    sql`
      select tenant_id as "tenantId", user_id as "userId", pepper_id as "pepperId", mac, expires_at as "expiresAt",
             revoked_at as "revokedAt", stamp, last_used_at as "lastUsedAt"
      from directory.find_token(${tokenId})`,
  )
}

export function findPresentedSession(databases: Databases, sessionId: string): Promise<PresentedSession | undefined> {
  return findInDirectory(
    databases,
    sql`
      select tenant_id as "tenantId", user_id as "userId", pepper_id as "pepperId", mac, expires_at as "expiresAt",
             revoked_at as "revokedAt", stamp, last_seen_at as "lastUsedAt", created_at as "createdAt",
             stepped_up_at as "steppedUpAt", is_break_glass as "isBreakGlass"
      from directory.find_session(${sessionId})`,
  )
}

/** Duties and policies of a user, and the stamp under which they were read. */
export interface OperatorAccess
  extends Pick<KnownOperator, 'userKind' | 'identityId' | 'duties' | 'policies' | 'tenantRequestsPerMinute'> {
  /** The user was removed, or the tenant disabled. */
  readonly isRevoked: boolean
  readonly stamp: string
}

/** Reads in one statement, so that everything is as of the stamp. */
export async function selectOperatorAccess(
  tx: Transaction,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<OperatorAccess | undefined> {
  const found = await tx.row<
    Omit<OperatorAccess, 'duties' | 'policies'> & {
      duties: [GrantedDuty['duty'], GrantedDuty['offeringIds']][]
      policies: Record<string, string | null>
    }
  >(sql`
    select operator_user.kind as "userKind", operator_user.identity_id as "identityId",
           tenant.requests_per_minute_max as "tenantRequestsPerMinute",
           (operator_user.removed_at is not null or tenant.disabled_at is not null) as "isRevoked",
           access_stamp.stamp,
           coalesce((
             select json_agg(json_build_array(granted.duty, granted.offering_ids))
             from directory.operator_duty granted
             where granted.tenant_id = operator_user.tenant_id and granted.user_id = operator_user.id
           ), '[]') as duties,
           coalesce((
             select json_object_agg(policy.policy, policy.from_minor::text)
             from directory.approval_policy policy where policy.tenant_id = operator_user.tenant_id
           ), '{}') as policies
    from directory.operator_user
    join directory.tenant on tenant.id = operator_user.tenant_id
    join directory.access_stamp on access_stamp.subject = operator_user.tenant_id
    where operator_user.tenant_id = ${tenantId} and operator_user.id = ${userId}`)
  if (!found) return undefined
  const policies = Object.entries(found.policies).map(([policy, from]) => [
    policy as Policy,
    from === null ? null : BigInt(from),
  ])
  return {
    ...found,
    duties: found.duties.map(([duty, offeringIds]) => ({ duty, offeringIds })),
    policies: Object.fromEntries(policies),
  }
}

export async function touchToken(
  tx: Transaction,
  { tenantId, tokenId }: { tenantId: string; tokenId: string },
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.personal_token set last_used_at = ${now} where tenant_id = ${tenantId} and id = ${tokenId}`)
}

export async function touchSession(
  tx: Transaction,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.operator_session set last_seen_at = ${now} where tenant_id = ${tenantId} and id = ${sessionId}`)
}
