import type { Static } from 'typebox'
import type { User } from './user.schema.ts'
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
