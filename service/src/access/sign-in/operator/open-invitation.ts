import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { openInvitationLink } from '../open-invitation-link.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { Invitation, InvitationLink } from '../sign-in.schema.ts'
import { limitSignIns } from '../sign-in.ts'

export const openInvitation = publicOperation(
  {
    id: 'openInvitation',
    summary: 'Read an invitation',
    description: 'What a link of an invitation mail is for. Reading it does not use it.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/invitations/open',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: InvitationLink,
    success: { status: 200, body: Invitation },
    errors: [signInErrors.invitation_invalid],
  },
  async ({ body }, context) => {
    await limitSignIns(context)
    const { invitation, user, tenant } = await openInvitationLink(context, body.invitation)
    return {
      kind: invitation.kind,
      tenant_name: tenant.name,
      user_name: user.name,
      provider: tenant.identityProvider,
    }
  },
)
