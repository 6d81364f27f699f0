import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'
import type { UserKey } from '../users/user.sql.ts'

export interface PersonalTokenRow {
  id: string
  name: string
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

const columns = sql`
  personal_token.id, personal_token.name, personal_token.created_at as "createdAt",
  personal_token.expires_at as "expiresAt", personal_token.last_used_at as "lastUsedAt",
  personal_token.revoked_at as "revokedAt"`

export async function insertPersonalToken(
  tx: Transaction,
  token: Pick<PersonalTokenRow, 'id' | 'name' | 'expiresAt'> &
    UserKey &
    HashedSecret & { sessionId: string | null; shownTo?: string },
): Promise<void> {
  await tx.rows(sql`
    insert into directory.personal_token (tenant_id, id, user_id, session_id, shown_to, name, pepper_id, mac,
                                          expires_at)
    values (${token.tenantId}, ${token.id}, ${token.userId}, ${token.sessionId}, ${token.shownTo ?? null},
            ${token.name}, ${token.pepperId}, ${token.mac}, ${token.expiresAt})`)
}

/** Counts the valid tokens of all users of the tenant. */
export async function countLiveTokens(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.personal_token
    join directory.operator_user
      on operator_user.tenant_id = personal_token.tenant_id and operator_user.id = personal_token.user_id
    where personal_token.tenant_id = ${tenantId} and personal_token.revoked_at is null
      and personal_token.expires_at > now() and operator_user.removed_at is null`)
  return found?.count ?? 0
}

/** Sorts by creation time, because token ids are random. */
export function pageOfPersonalTokens(tx: Transaction, { tenantId, userId }: UserKey, page: KeysetPage) {
  return countedPage<PersonalTokenRow>(tx, page, {
    columns,
    from: sql`directory.personal_token`,
    where: sql`personal_token.tenant_id = ${tenantId} and personal_token.user_id = ${userId}`,
    id: sql`personal_token.id`,
    keys: { created_at: { column: sql`personal_token.created_at`, type: 'timestamptz' } },
  })
}

export function lockPersonalToken(tx: Transaction, { tenantId, userId, tokenId }: UserKey & { tokenId: string }) {
  return tx.row<PersonalTokenRow>(sql`
    select ${columns} from directory.personal_token
    where personal_token.tenant_id = ${tenantId} and personal_token.user_id = ${userId}
      and personal_token.id = ${tokenId}
    for no key update`)
}

export async function revokeLockedToken(
  tx: Transaction,
  { tenantId, tokenId }: { tenantId: string; tokenId: string },
  revokedAt: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.personal_token set revoked_at = ${revokedAt} where tenant_id = ${tenantId} and id = ${tokenId}`)
}
