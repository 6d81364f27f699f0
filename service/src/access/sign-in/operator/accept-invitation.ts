import { Named } from '../../../platform/api/declare/fields.ts'
import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { sessionCookieHeader } from '../../../platform/api/declare/session-cookie.ts'
import { passkeyErrors } from '../../passkeys/passkey.errors.ts'
import { NewPasskey } from '../../passkeys/passkey.schema.ts'
import { storePasskey } from '../../passkeys/verify-passkey.ts'
import { acceptInvitationAs } from '../accept-invitation-as.ts'
import { invitedPerson } from '../invited-person.ts'
import { openInvitationLink } from '../open-invitation-link.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { InvitationSecret, SignedIn } from '../sign-in.schema.ts'
import { limitSignIns } from '../sign-in.ts'

export const acceptInvitation = publicOperation(
  {
    id: 'acceptInvitation',
    summary: 'Accept an invitation with a passkey',
    description:
      'For a tenant without an identity provider: stores the passkey, makes its owner the invited user and sets the ' +
      'session cookie. The link cannot be used again.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/invitations/accept',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: Named('AcceptedInvitation', { invitation: InvitationSecret, ...NewPasskey.properties }),
    success: { status: 200, body: SignedIn },
    errors: [
      signInErrors.invitation_invalid,
      signInErrors.wrong_sign_in_method,
      signInErrors.person_already_user,
      passkeyErrors.passkey_rejected,
      passkeyErrors.passkey_exists,
    ],
  },
  async ({ body: { invitation: secret, name, credential } }, context) => {
    await limitSignIns(context)
    const opened = await openInvitationLink(context, secret)
    const { id: invitationId, tenantId } = opened.invitation
    const person = {
      ...invitedPerson(opened.invitation),
      providerSession: null,
      authenticatedAt: context.now,
      secondFactorAt: context.now,
    }
    const purpose = { for: 'invitation', invitationId } as const
    const cookie = await acceptInvitationAs(context, opened, person, async (tx, identityId) => {
      await storePasskey(tx, identityId, context, { purpose, name, credential })
    })
    context.addHeaders({ 'set-cookie': sessionCookieHeader(cookie) })
    return { tenant_id: tenantId }
  },
)
