import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { openInvitationLink } from '../open-invitation-link.ts'
import { callbackUrl } from '../provider-callback.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { ProviderSignIn, Redirect } from '../sign-in.schema.ts'
import { limitSignIns } from '../sign-in.ts'
import { attemptCookieHeader } from '../sign-in-attempt.ts'

export const startProviderSignIn = publicOperation(
  {
    id: 'startProviderSignIn',
    summary: 'Sign in at an identity provider',
    description:
      'Returns the address at the provider to send the browser to, and sets a cookie that ties the sign-in to this ' +
      'browser. With an invitation, the person who signs in becomes the invited user.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/sign-in/provider',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: ProviderSignIn,
    success: { status: 200, body: Redirect },
    errors: [
      signInErrors.provider_unknown,
      signInErrors.provider_unavailable,
      signInErrors.invitation_invalid,
      // Thrown in the callback of the provider.
      signInErrors.step_up_not_proven,
    ],
  },
  async ({ body }, context) => {
    const { provider, invitation, return_to: returnTo, step_up: isStepUp = false } = body
    await limitSignIns(context)
    if (invitation !== undefined) await openInvitationLink(context, invitation)
    const redirectUri = callbackUrl(context.origin, provider)
    const { url, checks } = await context.identityProviders.start(provider, redirectUri, { isStepUp })
    const attempt = { provider, isStepUp, ...checks, ...(invitation && { invitation }), ...(returnTo && { returnTo }) }
    context.addHeaders({ 'set-cookie': attemptCookieHeader(attempt) })
    return { url }
  },
)
