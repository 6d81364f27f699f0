import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HashedSecret } from '../credentials/credential-secret.ts'
import type { UserKey } from '../users/user.sql.ts'

export interface InvitationRow extends UserKey, HashedSecret {
  id: string
  kind: 'invitation' | 'break_glass'
  expiresAt: Date
  usedAt: Date | null
}

const columns = sql`
  invitation.tenant_id as "tenantId", invitation.id, invitation.user_id as "userId", invitation.kind,
  invitation.pepper_id as "pepperId", invitation.mac, invitation.expires_at as "expiresAt",
  invitation.used_at as "usedAt"`

export async function insertInvitation(tx: Transaction, invitation: Omit<InvitationRow, 'usedAt'>): Promise<void> {
  await tx.rows(sql`
    insert into directory.invitation (tenant_id, id, user_id, kind, pepper_id, mac, expires_at)
    values (${invitation.tenantId}, ${invitation.id}, ${invitation.userId}, ${invitation.kind},
            ${invitation.pepperId}, ${invitation.mac}, ${invitation.expiresAt})`)
}

/** Finds the invitation. Row-level security shows it only to a transaction that presents its id. */
export function findInvitation(tx: Transaction, invitationId: string): Promise<InvitationRow | undefined> {
  return tx.row<InvitationRow>(sql`
    select ${columns} from directory.invitation where invitation.id = ${invitationId}`)
}

export function lockInvitation(
  tx: Transaction,
  { tenantId, invitationId }: { tenantId: string; invitationId: string },
): Promise<InvitationRow | undefined> {
  return tx.row<InvitationRow>(sql`
    select ${columns} from directory.invitation
    where invitation.tenant_id = ${tenantId} and invitation.id = ${invitationId}
    for update`)
}

/** Ends all of a user's links of a kind: a mail may have been sent more than once. */
export async function useInvitations(
  tx: Transaction,
  { tenantId, userId, kind }: Pick<InvitationRow, 'tenantId' | 'userId' | 'kind'>,
  usedAt: Date,
): Promise<void> {
  await tx.rows(sql`
    update directory.invitation set used_at = ${usedAt}
    where tenant_id = ${tenantId} and user_id = ${userId} and kind = ${kind} and used_at is null`)
}

/** Counts the tenant's links of the last 24 hours: each was mailed to an address that a user chose. */
export async function countRecentInvitations(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.invitation
    where invitation.tenant_id = ${tenantId} and invitation.created_at > now() - interval '24 hours'`)
  return found?.count ?? 0
}
