import type { FastifyInstance } from 'fastify'
import type { PipelineServices } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { addressBucket, guardAddress } from '../../platform/api/rate-limit/rate-limit.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { selectUsersOfIdentity } from '../sessions/identity.sql.ts'
import { identityIdOf } from '../sessions/identity.ts'
import { revokeSessions } from '../sessions/session.sql.ts'

/**
 * Serves the back-channel logout of OpenID Connect: the provider sends a signed token, and the sessions that it names
 * end. Not an operation, because the standard defines its body and responses.
 */
export function serveProviderLogout(app: FastifyInstance, services: PipelineServices): void {
  app.post<{ Params: { provider: string } }>('/console/sign-in/:provider/logout', async (request, reply) => {
    const { provider } = request.params
    const { rateLimiter } = services
    // Counts only rejected tokens: a provider that locks out a whole company must not be stopped halfway.
    if (rateLimiter.isKnownFull(addressBucket(request.ip))) await guardAddress(rateLimiter, request.ip)
    const body = Buffer.isBuffer(request.body) ? request.body.toString() : ''
    const token = new URLSearchParams(body).get('logout_token') ?? ''
    const logout = await services.identityProviders.verifyLogout(provider, token).catch((error: unknown) => {
      request.log.warn({ err: error, provider }, 'logout token rejected')
      if (error instanceof ApiError) throw error
      return undefined
    })
    if (!logout) {
      await guardAddress(rateLimiter, request.ip)
      return reply.status(400).send({ error: 'invalid_request', error_description: 'The logout token is not valid.' })
    }
    await endSessions(services, { issuer: services.identityProviders.issuerOf(provider) ?? '', ...logout }, request.id)
    return reply.status(200).send()
  })
}

async function endSessions(
  { databases, clock }: PipelineServices,
  { issuer, subject, sessionId }: { issuer: string; subject: string; sessionId: string | undefined },
  requestId: string,
): Promise<void> {
  const identityId = identityIdOf({ issuer, subject })
  const users = await inDirectoryTransaction(databases, { identityId, access: 'read' }, (tx) =>
    selectUsersOfIdentity(tx, identityId),
  )
  for (const { tenantId, userId } of users)
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
      const person = { tenantId, identityId, ...(sessionId !== undefined && { providerSession: sessionId }) }
      const ended = await revokeSessions(tx, person, clock())
      for (const id of ended)
        await appendAudit(
          tx,
          { type: 'system', id: null, requestId },
          { action: 'session.revoked', subject: { type: 'session', id }, after: { user_id: userId, by: 'provider' } },
        )
    })
}
