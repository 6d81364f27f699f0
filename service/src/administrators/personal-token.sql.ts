import type { SealedSecret } from '../credentials/credential-secret.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { filteredCut } from '../http/page.sql.ts'
import type { Page } from '../http/page.ts'
import type { KnownOperator } from '../http/services.ts'
import type { AdministratorKey } from './administrator.sql.ts'

/** Whose token this is. Only inside a transaction that presents its id. */
export function findOperator(tx: Transaction, tokenId: string): Promise<(KnownOperator & SealedSecret) | undefined> {
  return tx.row(sql`
    select token.tenant_id as "tenantId", token.administrator_id as "administratorId", token.id as "tokenId",
           administrator.role, token.expires_at as "expiresAt",
           (token.revoked_at is not null or administrator.removed_at is not null or tenant.disabled_at is not null)
             as "isRevoked",
           token.pepper_id as "pepperId", token.mac
    from directory.personal_token token
    join directory.administrator
      on administrator.tenant_id = token.tenant_id and administrator.id = token.administrator_id
    join directory.tenant on tenant.id = token.tenant_id
    where token.id = ${tokenId}`)
}

export interface NewPersonalToken extends SealedSecret {
  tenantId: string
  tokenId: string
  administratorId: string
  name: string
  expiresAt: Date
}

export async function insertPersonalToken(tx: Transaction, token: NewPersonalToken): Promise<void> {
  await tx.rows(sql`
    insert into directory.personal_token (tenant_id, id, administrator_id, name, pepper_id, mac, expires_at)
    values (${token.tenantId}, ${token.tokenId}, ${token.administratorId}, ${token.name}, ${token.pepperId},
            ${token.mac}, ${token.expiresAt})`)
}

export interface PersonalTokenRow {
  id: string
  name: string
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

const columns = sql`
  personal_token.id, personal_token.name, personal_token.created_at as "createdAt",
  personal_token.expires_at as "expiresAt", personal_token.revoked_at as "revokedAt"`

export async function countPersonalTokens(
  tx: Transaction,
  { tenantId, administratorId }: AdministratorKey,
): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.personal_token
    where tenant_id = ${tenantId} and administrator_id = ${administratorId}`)
  return found?.count ?? 0
}

/** Their ids say nothing of time, so they are in the order of their making. */
export function listPersonalTokens(
  tx: Transaction,
  { tenantId, administratorId }: AdministratorKey,
  page: Page,
): Promise<PersonalTokenRow[]> {
  return tx.rows<PersonalTokenRow>(sql`
    select ${columns} from directory.personal_token
    where personal_token.tenant_id = ${tenantId} and personal_token.administrator_id = ${administratorId}
    ${filteredCut(sql`(personal_token.created_at, personal_token.id)`, page)}`)
}

/** Held until the end of the transaction. */
export function lockPersonalToken(
  tx: Transaction,
  { tenantId, administratorId, tokenId }: AdministratorKey & { tokenId: string },
): Promise<PersonalTokenRow | undefined> {
  return tx.row<PersonalTokenRow>(sql`
    select ${columns} from directory.personal_token
    where personal_token.tenant_id = ${tenantId} and personal_token.administrator_id = ${administratorId}
      and personal_token.id = ${tokenId}
    for no key update`)
}

export async function revokeLockedToken(
  tx: Transaction,
  { tenantId, tokenId }: { tenantId: string; tokenId: string },
  revokedAt: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.personal_token set revoked_at = ${revokedAt}
    where tenant_id = ${tenantId} and id = ${tokenId}`)
}
