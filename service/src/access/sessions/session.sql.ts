import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'
import type { UserKey } from '../users/user.sql.ts'

export interface SessionRow {
  id: string
  isBreakGlass: boolean
  /** The provider's id of its session; null without a provider. */
  providerSession: string | null
  userAgent: string
  sourceAddress: string
  createdAt: Date
  /** Null for a session of an earlier release. */
  authenticatedAt: Date | null
  lastSeenAt: Date
  expiresAt: Date
  steppedUpAt: Date | null
  revokedAt: Date | null
}

export interface SessionKey {
  tenantId: string
  sessionId: string
}

const columns = sql`
  session.id, session.is_break_glass as "isBreakGlass", session.provider_session as "providerSession",
  session.user_agent as "userAgent",
  session.source_address as "sourceAddress", session.created_at as "createdAt",
  session.authenticated_at as "authenticatedAt",
  session.last_seen_at as "lastSeenAt", session.expires_at as "expiresAt",
  session.stepped_up_at as "steppedUpAt", session.revoked_at as "revokedAt"`

export async function insertSession(
  tx: Transaction,
  session: Omit<SessionRow, 'lastSeenAt' | 'revokedAt'> & UserKey & HashedSecret & { identityId: string },
): Promise<void> {
  await tx.rows(sql`
    insert into directory.operator_session (tenant_id, id, user_id, identity_id, pepper_id, mac, is_break_glass,
      provider_session, user_agent, source_address, created_at, authenticated_at, last_seen_at, expires_at,
      stepped_up_at)
    values (${session.tenantId}, ${session.id}, ${session.userId}, ${session.identityId}, ${session.pepperId},
            ${session.mac}, ${session.isBreakGlass}, ${session.providerSession}, ${session.userAgent},
            ${session.sourceAddress}, ${session.createdAt}, ${session.authenticatedAt}, ${session.createdAt},
            ${session.expiresAt}, ${session.steppedUpAt})`)
}

/** Sorts by creation time, because session ids are random. */
export function pageOfSessions(tx: Transaction, { tenantId, userId }: UserKey, page: KeysetPage) {
  return countedPage<SessionRow>(tx, page, {
    columns,
    from: sql`directory.operator_session session`,
    where: sql`session.tenant_id = ${tenantId} and session.user_id = ${userId}`,
    id: sql`session.id`,
    keys: { created_at: { column: sql`session.created_at`, type: 'timestamptz' } },
  })
}

/** Returns when the person of a session authenticated; null for a session of an earlier release. */
export async function findAuthenticatedAt(tx: Transaction, { tenantId, sessionId }: SessionKey): Promise<Date | null> {
  const found = await tx.row<{ at: Date | null }>(sql`
    select authenticated_at as at from directory.operator_session where tenant_id = ${tenantId} and id = ${sessionId}`)
  return found?.at ?? null
}

export function lockSession(tx: Transaction, { tenantId, userId, sessionId }: UserKey & SessionKey) {
  return tx.row<SessionRow>(sql`
    select ${columns} from directory.operator_session session
    where session.tenant_id = ${tenantId} and session.user_id = ${userId} and session.id = ${sessionId}
    for no key update`)
}

/** Revokes the session and the personal access tokens that were created in it. */
export async function revokeLockedSession(tx: Transaction, key: SessionKey, revokedAt: Date): Promise<void> {
  const { tenantId, sessionId } = key
  await tx.rows(sql`
    update directory.operator_session set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and id = ${sessionId}`)
  await tx.rows(sql`
    update directory.personal_token set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and session_id = ${sessionId} and revoked_at is null`)
}

export async function recordStepUp(tx: Transaction, { tenantId, sessionId }: SessionKey, at: Date): Promise<void> {
  await tx.rows(sql`
    update directory.operator_session set stepped_up_at = ${at} where tenant_id = ${tenantId} and id = ${sessionId}`)
}

/** Ends sessions of the tenant, limited to one person or one session at the provider if given. Returns their ids. */
export async function revokeSessions(
  tx: Transaction,
  { tenantId, identityId, providerSession }: { tenantId: string; identityId?: string; providerSession?: string },
  revokedAt: Date,
): Promise<string[]> {
  const revoked = await tx.rows<{ id: string }>(sql`
    update directory.operator_session set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and revoked_at is null
      and (${identityId ?? null}::uuid is null or identity_id = ${identityId ?? null})
      and (${providerSession ?? null}::text is null or provider_session = ${providerSession ?? null})
    returning id`)
  const ids = revoked.map(({ id }) => id)
  await tx.rows(sql`
    update directory.personal_token set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and session_id = any (${ids}) and revoked_at is null`)
  return ids
}
