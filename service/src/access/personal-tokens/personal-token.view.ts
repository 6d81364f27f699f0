import type { Static } from 'typebox'
import type { PersonalToken } from '../users/user.schema.ts'
import type { PersonalTokenRow } from './personal-token.sql.ts'

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
