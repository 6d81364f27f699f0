import { type PersonKey, passkeyIssuer } from '../sessions/identity.ts'
import type { InvitationRow } from './invitation.sql.ts'

/**
 * The person who accepts an invitation with a passkey. Derived from the invitation, because the passkey contains the
 * person's id before the person exists; a person who is invited again becomes another one.
 */
export function invitedPerson({ id }: Pick<InvitationRow, 'id'>): PersonKey {
  return { issuer: passkeyIssuer, subject: id }
}
