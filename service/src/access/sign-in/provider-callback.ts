import type { FastifyInstance } from 'fastify'
import type { PipelineServices } from '../../platform/api/declare/services.ts'
import { sessionCookieHeader } from '../../platform/api/declare/session-cookie.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { originOf } from '../../platform/api/pipeline/request-urls.ts'
import { identityIdOf } from '../sessions/identity.ts'
import { acceptInvitationAs } from './accept-invitation-as.ts'
import { openInvitationLink } from './open-invitation-link.ts'
import { continuePage, messagePage, ownPageHeaders } from './pages.ts'
import { limitSignIns, type SignInContext, signIn } from './sign-in.ts'
import { attemptCookieHeader, attemptOf, type SignInAttempt } from './sign-in-attempt.ts'

const path = '/console/sign-in/:provider/callback'

/** Returns the URL to which a provider sends the browser back. It must be registered there. */
export function callbackUrl(origin: string, provider: string): string {
  return origin + path.replace(':provider', provider)
}

/**
 * Serves the page that a provider sends the browser to. The page continues by itself; a redirect would not do: the
 * session cookie is `SameSite=Strict`, and browsers do not send it in a chain of redirects that another site started.
 */
export function serveProviderCallback(app: FastifyInstance, services: PipelineServices): void {
  app.get<{ Params: { provider: string } }>(path, async (request, reply) => {
    // The attempt is used up, whatever its outcome.
    reply.headers(ownPageHeaders).header('set-cookie', attemptCookieHeader(undefined))
    const { provider } = request.params
    const attempt = attemptOf(request.headers.cookie)
    if (attempt?.provider !== provider)
      return reply.status(400).send(messagePage('Sign-in not started here', restartText))
    const origin = originOf(services, request)
    const context: SignInContext = {
      ...services,
      sourceAddress: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      requestId: request.id,
      origin,
      now: services.clock(),
    }
    try {
      const cookie = await finish(context, attempt, origin + request.url)
      reply.header('set-cookie', sessionCookieHeader(cookie))
      return await reply.send(continuePage(attempt.invitation ? '/console/passkey' : (attempt.returnTo ?? '/console')))
    } catch (error) {
      if (error instanceof ApiError)
        return reply.status(error.status).send(messagePage('You are not signed in', error.message))
      // Not a bug: the provider or the browser sent something unexpected.
      request.log.warn({ err: error, provider }, 'sign-in failed')
      return reply.status(400).send(messagePage('You are not signed in', restartText))
    }
  })
}

const restartText =
  'The sign-in was not started in this browser, took too long, or was cancelled. Please sign in again.'

async function finish(context: SignInContext, attempt: SignInAttempt, url: string): Promise<string> {
  await limitSignIns(context)
  const { provider, invitation, isStepUp = false } = attempt
  const checks = { ...attempt, isStepUp, now: context.now }
  const found = await context.identityProviders.finish(provider, url, checks)
  const { issuer, subject, sessionId: providerSession, secondFactorAt } = found
  if (invitation === undefined) {
    // Without a time, the person may have signed in at the provider at any time.
    const proof = { providerSession, secondFactorAt, authenticatedAt: found.authenticatedAt ?? new Date(0) }
    const { cookie } = await signIn(context, { identityId: identityIdOf(found), issuer, ...proof })
    return cookie
  }
  const opened = await openInvitationLink(context, invitation)
  // Using the link counts as authenticating now, and works once.
  const proof = { providerSession, secondFactorAt, authenticatedAt: context.now }
  return acceptInvitationAs(context, opened, { issuer, subject, ...proof })
}
