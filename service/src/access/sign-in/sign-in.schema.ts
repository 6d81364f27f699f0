import { Type } from 'typebox'
import { Named, orNull, Text, Uuid } from '../../platform/api/declare/fields.ts'
import { Secret } from '../../platform/api/declare/masked.ts'
import { returnToPattern } from './sign-in-attempt.ts'

export const InvitationSecret = Secret({
  minLength: 1,
  maxLength: 200,
  description: 'What follows `#` in the link.',
  examples: ['iti_from-the-link'],
})

const ReturnTo = Type.String({
  pattern: returnToPattern,
  maxLength: 300,
  description: 'The page to go on to after the sign-in.',
  examples: ['/console'],
})

const ProviderName = Text(1, 31, { description: 'The name of the provider.', examples: ['acme'] })

export const SignInMethods = Named('SignInMethods', {
  providers: Type.Array(ProviderName, { description: 'The identity providers of this installation.' }),
})

export const ProviderSignIn = Named('ProviderSignIn', {
  provider: ProviderName,
  invitation: Type.Optional(InvitationSecret),
  return_to: Type.Optional(ReturnTo),
  step_up: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Has the provider ask for all factors again, even if it remembers the person. Rejected unless it says when ' +
        'and how they signed in.',
    }),
  ),
})

export const Redirect = Named('Redirect', {
  url: Type.String({ description: 'Where to send the browser.', examples: ['https://login.example.com/auth'] }),
})

export const InvitationLink = Named('InvitationLink', { invitation: InvitationSecret })

export const Invitation = Named('Invitation', {
  kind: Type.Enum(['invitation', 'break_glass'] as const, {
    description: '`break_glass`: an emergency sign-in, which cannot confirm anything for 24 hours.',
  }),
  tenant_name: Type.String({ description: 'The tenant to run.', examples: ['Harbour Issuer GmbH'] }),
  user_name: Type.String({ description: 'The invited person.', examples: ['Grace Hopper'] }),
  provider: orNull(ProviderName, { description: 'Sign in there; null: create a passkey here.' }),
})

export const SignedIn = Named('SignedIn', { tenant_id: Uuid('The tenant of the session.') })
