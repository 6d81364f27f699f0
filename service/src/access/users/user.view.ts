import type { Static } from 'typebox'
import type { PersonalTokenRow } from './personal-token.sql.ts'
import type { PersonalToken, User } from './user.schema.ts'
import type { UserRow } from './user.sql.ts'

export function viewUser(row: UserRow): Static<typeof User> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    email: row.email,
    duties: row.duties.map(({ duty, offeringIds }) => ({ duty, offering_ids: offeringIds && [...offeringIds] })),
    has_signed_in: row.identityId !== null,
    invited_by: row.invitedBy,
    created_at: row.createdAt.toISOString(),
    removed_at: row.removedAt?.toISOString() ?? null,
  }
}

export function viewPersonalToken(row: PersonalTokenRow): Static<typeof PersonalToken> {
  return {
    id: row.id,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }
}
