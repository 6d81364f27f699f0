import type { InvitationRow } from '../invitations/invitation.sql.ts'
import { type PersonKey, passkeyIssuer } from '../sessions/identity.ts'

/**
 * Derives the person who accepts an invitation with a passkey from the invitation, because the passkey contains the
 * person's id before the person exists. Someone who is invited again becomes another person.
 */
export function invitedPerson({ id }: Pick<InvitationRow, 'id'>): PersonKey {
  return { issuer: passkeyIssuer, subject: id }
}
