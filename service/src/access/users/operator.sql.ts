import type { Policy } from '../../platform/api/declare/approval.ts'
import type { GrantedDuty } from '../../platform/api/declare/duties.ts'
import type { KnownOperator } from '../../platform/api/declare/services.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'

interface OperatorRow extends HashedSecret {
  tenantId: string
  userId: string
  userKind: 'person' | 'service'
  identityId: string | null
  duties: [GrantedDuty['duty'], GrantedDuty['offeringIds']][]
  policies: Record<string, string | null>
  tenantRequestsPerMinute: number
  expiresAt: Date
  isRevoked: boolean
}

interface FoundOperator<LastUsed> extends HashedSecret {
  operator: KnownOperator
  lastUsedAt: LastUsed
}

// What every request needs to know about its user, in one query.
const operatorColumns = sql`
  operator_user.tenant_id as "tenantId", operator_user.id as "userId", operator_user.kind as "userKind",
  operator_user.identity_id as "identityId",
  tenant.requests_per_minute_max as "tenantRequestsPerMinute",
  coalesce((
    select json_agg(json_build_array(granted.duty, granted.offering_ids))
    from directory.operator_duty granted
    where granted.tenant_id = operator_user.tenant_id and granted.user_id = operator_user.id
  ), '[]') as duties,
  coalesce((
    select json_object_agg(policy.policy, policy.from_minor::text)
    from directory.approval_policy policy where policy.tenant_id = operator_user.tenant_id
  ), '{}') as policies`

/** Row-level security shows the token only to a transaction that presents its id. */
export async function selectOperatorOfToken(
  tx: Transaction,
  tokenId: string,
): Promise<FoundOperator<Date | null> | undefined> {
  const found = await tx.row<OperatorRow & { lastUsedAt: Date | null }>(sql`
    select ${operatorColumns}, token.expires_at as "expiresAt", token.last_used_at as "lastUsedAt",
           (token.revoked_at is not null or operator_user.removed_at is not null or tenant.disabled_at is not null)
             as "isRevoked",
           token.pepper_id as "pepperId", token.mac
    from directory.personal_token token
    join directory.operator_user
      on operator_user.tenant_id = token.tenant_id and operator_user.id = token.user_id
    join directory.tenant on tenant.id = token.tenant_id
    where token.id = ${tokenId}`)
  return found && { ...secretOf(found), operator: operatorOf(found, { type: 'token', id: tokenId }) }
}

/** Row-level security shows the session only to a transaction that presents its id. */
export async function selectOperatorOfSession(
  tx: Transaction,
  sessionId: string,
): Promise<FoundOperator<Date> | undefined> {
  const found = await tx.row<
    OperatorRow & { lastUsedAt: Date; createdAt: Date; steppedUpAt: Date | null; isBreakGlass: boolean }
  >(sql`
    select ${operatorColumns}, session.expires_at as "expiresAt", session.last_seen_at as "lastUsedAt",
           session.created_at as "createdAt", session.stepped_up_at as "steppedUpAt",
           session.is_break_glass as "isBreakGlass",
           (session.revoked_at is not null or operator_user.removed_at is not null or tenant.disabled_at is not null)
             as "isRevoked",
           session.pepper_id as "pepperId", session.mac
    from directory.operator_session session
    join directory.operator_user
      on operator_user.tenant_id = session.tenant_id and operator_user.id = session.user_id
    join directory.tenant on tenant.id = session.tenant_id
    where session.id = ${sessionId}`)
  if (!found) return undefined
  const { createdAt, steppedUpAt, isBreakGlass } = found
  const proof = { type: 'session', id: sessionId, createdAt, steppedUpAt, isBreakGlass } as const
  return { ...secretOf(found), operator: operatorOf(found, proof) }
}

function secretOf<LastUsed>({ pepperId, mac, lastUsedAt }: HashedSecret & { lastUsedAt: LastUsed }) {
  return { pepperId, mac, lastUsedAt }
}

function operatorOf(row: OperatorRow, proof: KnownOperator['proof']): KnownOperator {
  const { tenantId, userId, userKind, identityId, tenantRequestsPerMinute, expiresAt, isRevoked } = row
  const duties = row.duties.map(([duty, offeringIds]) => ({ duty, offeringIds }))
  const policies = Object.fromEntries(
    Object.entries(row.policies).map(([policy, from]) => [policy as Policy, from === null ? null : BigInt(from)]),
  )
  const user = { tenantId, userId, userKind, identityId, duties }
  return { ...user, policies, tenantRequestsPerMinute, proof, expiresAt, isRevoked }
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
