import type { Static } from 'typebox'
import type { Administrator, PersonalToken } from './administrator.schema.ts'
import type { PresentAdministrator } from './administrator.sql.ts'
import type { PersonalTokenRow } from './personal-token.sql.ts'

export function viewAdministrator(row: PresentAdministrator): Static<typeof Administrator> {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
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
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }
}
