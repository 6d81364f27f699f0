import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { sessionCookieHeader } from '../../../platform/api/declare/session-cookie.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { inDirectoryTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { useInvitations } from '../../invitations/invitation.sql.ts'
import { openInvitationLink, requireUnusedInvitation } from '../open-invitation-link.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { InvitationLink, SignedIn } from '../sign-in.schema.ts'
import { limitSignIns, startSession } from '../sign-in.ts'

export const useEmergencyLink = publicOperation(
  {
    id: 'useEmergencyLink',
    summary: 'Sign in with an emergency link',
    description:
      'For a link of `maintain break-glass`, while the identity provider is down. Sets the session cookie of a ' +
      'session that cannot confirm anything for 24 hours. The link cannot be used again.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/invitations/emergency',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: InvitationLink,
    success: { status: 200, body: SignedIn },
    errors: [signInErrors.invitation_invalid, signInErrors.wrong_sign_in_method],
  },
  async ({ body }, context) => {
    await limitSignIns(context)
    const { invitation, user } = await openInvitationLink(context, body.invitation)
    const { tenantId, userId } = invitation
    const { identityId } = user
    if (invitation.kind !== 'break_glass' || !identityId)
      throw new ApiError(signInErrors.wrong_sign_in_method, 'This link is not for an emergency. Open it again.')
    const access = { tenantId, identityId, access: 'write' } as const
    const cookie = await inDirectoryTransaction(context.databases, access, async (tx) => {
      await requireUnusedInvitation(tx, invitation)
      await useInvitations(tx, invitation, context.now)
      const person = {
        identityId,
        issuer: 'emergency',
        providerSession: null,
        authenticatedAt: context.now,
        secondFactorAt: null,
      }
      return startSession(tx, context, { ...person, tenantId, userId, isBreakGlass: true })
    })
    context.addHeaders({ 'set-cookie': sessionCookieHeader(cookie) })
    return { tenant_id: tenantId }
  },
)
