import type { PublicContext } from '../../platform/api/declare/public-context.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { matchesSecret } from '../credentials/credential-secret.ts'
import { secretIdOf } from '../credentials/operator-secret.ts'
import { findInvitation, type InvitationRow, lockInvitation } from '../invitations/invitation.sql.ts'
import { findSignInFacts, type SignInFacts } from '../tenants/tenant.sql.ts'
import { findUser, type UserRow } from '../users/user.sql.ts'
import { signInErrors } from './sign-in.errors.ts'

export interface OpenedInvitation {
  readonly invitation: InvitationRow
  readonly user: UserRow
  readonly tenant: SignInFacts
}

/** Reads the invitation of a link without using it up: programs that scan mails open links too. Throws 404. */
export async function openInvitationLink(
  { databases, secretPeppers, now }: Pick<PublicContext, 'databases' | 'secretPeppers' | 'now'>,
  secret: string,
): Promise<OpenedInvitation> {
  const invitationId = secretIdOf('invitation', secret)
  const invitation = invitationId
    ? await inDirectoryTransaction(databases, { invitationId, access: 'read' }, (tx) =>
        findInvitation(tx, invitationId),
      )
    : undefined
  if (!matchesSecret(secretPeppers, secret, invitation) || !invitation) throw invalid()
  const { tenantId, userId } = invitation
  const [user, tenant] = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    tx.batch(
      (tx) => findUser(tx, { tenantId, userId }),
      (tx) => findSignInFacts(tx, tenantId),
    ),
  )
  if (!user || !tenant || tenant.isDisabled || invitation.usedAt || invitation.expiresAt <= now) throw invalid()
  return { invitation, user, tenant }
}

/** Locks the invitation until the end of the transaction; throws if another request has used it meanwhile. */
export async function requireUnusedInvitation(tx: Transaction, { tenantId, id }: InvitationRow): Promise<void> {
  const locked = await lockInvitation(tx, { tenantId, invitationId: id })
  if (!locked || locked.usedAt) throw invalid()
}

function invalid(): ApiError {
  return new ApiError(
    signInErrors.invitation_invalid,
    'This link was used or has expired. Ask a user with the duty team to send the invitation again.',
  )
}
