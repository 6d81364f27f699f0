import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'
import type { UserKey } from '../users/user.sql.ts'

export interface SessionRow {
  id: string
  isBreakGlass: boolean
  userAgent: string
  sourceAddress: string
  createdAt: Date
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
  session.id, session.is_break_glass as "isBreakGlass", session.user_agent as "userAgent",
  session.source_address as "sourceAddress", session.created_at as "createdAt",
  session.last_seen_at as "lastSeenAt", session.expires_at as "expiresAt",
  session.stepped_up_at as "steppedUpAt", session.revoked_at as "revokedAt"`

export async function insertSession(
  tx: Transaction,
  session: Pick<
    SessionRow,
    'id' | 'isBreakGlass' | 'userAgent' | 'sourceAddress' | 'createdAt' | 'expiresAt' | 'steppedUpAt'
  > &
    UserKey &
    HashedSecret & { identityId: string; providerSession: string | null },
): Promise<void> {
  await tx.rows(sql`
    insert into directory.operator_session (tenant_id, id, user_id, identity_id, pepper_id, mac, is_break_glass,
      provider_session, user_agent, source_address, created_at, last_seen_at, expires_at, stepped_up_at)
    values (${session.tenantId}, ${session.id}, ${session.userId}, ${session.identityId}, ${session.pepperId},
            ${session.mac}, ${session.isBreakGlass}, ${session.providerSession}, ${session.userAgent},
            ${session.sourceAddress}, ${session.createdAt}, ${session.createdAt}, ${session.expiresAt},
            ${session.steppedUpAt})`)
}

export async function countSessions(tx: Transaction, { tenantId, userId }: UserKey): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.operator_session session
    where session.tenant_id = ${tenantId} and session.user_id = ${userId}`)
  return found?.count ?? 0
}

export function selectSessions(tx: Transaction, { tenantId, userId }: UserKey, page: Page): Promise<SessionRow[]> {
  return tx.rows<SessionRow>(sql`
    select ${columns} from directory.operator_session session
    where session.tenant_id = ${tenantId} and session.user_id = ${userId}
    ${filteredCut(sql`(session.created_at, session.id)`, page)}`)
}

export function lockSession(
  tx: Transaction,
  { tenantId, userId, sessionId }: UserKey & SessionKey,
): Promise<SessionRow | undefined> {
  return tx.row<SessionRow>(sql`
    select ${columns} from directory.operator_session session
    where session.tenant_id = ${tenantId} and session.user_id = ${userId} and session.id = ${sessionId}
    for no key update`)
}

/** Revokes the session and the personal access tokens that were created in it. */
export async function revokeLockedSession(
  tx: Transaction,
  { tenantId, sessionId }: SessionKey,
  revokedAt: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.operator_session set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and id = ${sessionId}`)
  await tx.rows(sql`
    update directory.personal_token set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and session_id = ${sessionId} and revoked_at is null`)
}
