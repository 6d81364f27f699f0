import { ApiError } from '../../platform/api/errors/errors.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { useInvitations } from '../invitations/invitation.sql.ts'
import { bindIdentity, ensureIdentity } from '../sessions/identity.sql.ts'
import { identityIdOf, type PersonKey } from '../sessions/identity.ts'
import { type OpenedInvitation, requireUnusedInvitation } from './open-invitation-link.ts'
import { signInErrors } from './sign-in.errors.ts'
import { isMethodOf, type ProvenPerson, type SignInContext, startSession } from './sign-in.ts'

/**
 * Binds the invited user to a person, once, and signs the person in. `prove` stores or verifies more in the same
 * transaction.
 */
export function acceptInvitationAs(
  context: SignInContext,
  { invitation, tenant, user }: OpenedInvitation,
  person: PersonKey & Omit<ProvenPerson, 'identityId' | 'issuer'>,
  prove: (tx: Transaction, identityId: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const { tenantId, userId } = invitation
  const identityId = identityIdOf(person)
  if (invitation.kind !== 'invitation' || !isMethodOf(tenant, person.issuer, context))
    throw new ApiError(
      signInErrors.wrong_sign_in_method,
      'The tenant uses another way to sign in. Open the link again.',
    )
  return inDirectoryTransaction(context.databases, { tenantId, identityId, access: 'write' }, async (tx) => {
    await requireUnusedInvitation(tx, invitation)
    await ensureIdentity(tx, person)
    await prove(tx, identityId)
    if (user.identityId !== identityId && !(await bindIdentity(tx, { tenantId, userId }, identityId)))
      throw new ApiError(
        signInErrors.person_already_user,
        'You are already another user of this tenant, or this user belongs to another person.',
      )
    await useInvitations(tx, invitation, context.now)
    const actor = { type: 'user', id: userId, requestId: context.requestId } as const
    const after = { method: person.issuer }
    await appendAudit(tx, actor, { action: 'invitation.accepted', subject: { type: 'user', id: userId }, after })
    const { issuer, providerSession, authenticatedAt, secondFactorAt } = person
    const proven = { identityId, issuer, providerSession, authenticatedAt, secondFactorAt }
    return startSession(tx, context, { ...proven, tenantId, userId, isBreakGlass: false })
  })
}
