import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { PasskeyOptions } from '../../passkeys/passkey.schema.ts'
import { creationOptions } from '../../passkeys/passkey-options.ts'
import { identityIdOf } from '../../sessions/identity.ts'
import { invitedPerson } from '../invited-person.ts'
import { openInvitationLink } from '../open-invitation-link.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { InvitationLink } from '../sign-in.schema.ts'
import { limitSignIns } from '../sign-in.ts'

export const startInvitationPasskey = publicOperation(
  {
    id: 'startInvitationPasskey',
    summary: 'Start accepting an invitation with a passkey',
    description: 'Returns the options with which the browser of the invited person creates their first passkey.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/invitations/passkey/options',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: InvitationLink,
    success: { status: 200, body: PasskeyOptions },
    errors: [signInErrors.invitation_invalid],
  },
  async ({ body }, context) => {
    await limitSignIns(context)
    const { invitation, user } = await openInvitationLink(context, body.invitation)
    const identityId = identityIdOf(invitedPerson(invitation))
    const person = { identityId, name: user.name, email: user.email ?? '', passkeys: [] }
    const purpose = { for: 'invitation', invitationId: invitation.id } as const
    return { options: await creationOptions(context, purpose, person) }
  },
)
