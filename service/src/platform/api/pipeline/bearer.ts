import type { FastifyRequest } from 'fastify'
import type { Versions } from '../../base/versions.ts'
import type { KnownOperator, PipelineServices } from '../declare/services.ts'
import { requireOwnPage, sessionCookieOf } from '../declare/session-cookie.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import type { KnownCaller } from '../overload/known-callers.ts'
import { requestsPerUserMax } from '../rate-limit/rate-limit.ts'
import { type TokenClaims, unauthorized, verifyToken } from './access-token.ts'
import { originOf } from './request-urls.ts'

/** An integrator: the claims of its token, and the current settings of its credential. */
export interface Integrator extends TokenClaims {
  readonly kind: 'integrator'
  readonly version: NonNullable<Versions['standard']>
  readonly requestsPerMinute: number
  readonly tenantRequestsPerMinute: number
}

/** An operator user, identified by a session or a personal access token. */
export interface Operator extends KnownOperator {
  readonly kind: 'operator'
}

/** Returns the identity under which the process counts a caller, and its rate limit. */
export function callerOf(caller: Integrator | Operator): KnownCaller {
  const { tenantId } = caller
  return caller.kind === 'integrator'
    ? { tenantId, callerId: caller.clientId, requestsPerMinute: caller.requestsPerMinute }
    : { tenantId, callerId: caller.userId, requestsPerMinute: requestsPerUserMax }
}

/** Verifies the session or the personal access token of an operator user; throws 401. A token wins over a cookie. */
export async function authenticateOperator(services: PipelineServices, request: FastifyRequest): Promise<Operator> {
  const { authorization } = request.headers
  const cookie = sessionCookieOf(request)
  return authorization === undefined && cookie !== undefined
    ? authenticateSession(services, request, cookie)
    : authenticateToken(services, authorization)
}

async function authenticateSession(
  services: PipelineServices,
  request: FastifyRequest,
  cookie: string,
): Promise<Operator> {
  requireOwnPage(request, originOf(services, request))
  const operator = await services.operatorOfSession(cookie)
  if (!operator || operator.isRevoked || operator.expiresAt <= services.clock())
    throw new ApiError(requestErrors.session_expired, 'The session has ended. Sign in again.', unauthorized)
  return { kind: 'operator', ...operator }
}

async function authenticateToken(services: PipelineServices, authorization: string | undefined): Promise<Operator> {
  const token = bearerToken(authorization, 'a personal access token')
  const operator = await services.operatorOfToken(token)
  if (!operator)
    throw new ApiError(requestErrors.token_invalid, 'This is not a personal access token of this environment.', {
      ...unauthorized,
      presented: { tokenId: services.tokenIdOf(token) },
    })
  const { proof, userId, tenantId } = operator
  const presented = { tokenId: proof.id, userId, tenantId }
  if (operator.expiresAt <= services.clock())
    throw new ApiError(
      requestErrors.token_expired,
      'The personal access token has expired. Sign in and create a new one.',
      { ...unauthorized, presented },
    )
  if (operator.isRevoked)
    throw new ApiError(requestErrors.token_revoked, 'The personal access token was revoked.', {
      ...unauthorized,
      presented,
    })
  return { kind: 'operator', ...operator }
}

/** Verifies an integrator's access token and its credential; throws 401. */
export async function authenticateIntegrator(
  services: PipelineServices,
  { headers: { authorization } }: FastifyRequest,
): Promise<Integrator> {
  const token = bearerToken(authorization, 'a token from POST /auth')
  const claims = await verifyToken(services.tokenSigningKeys, token, services.clock())
  if (!services.versions.isServed(claims.apiVersion))
    throw new ApiError(
      requestErrors.token_invalid,
      `Version ${claims.apiVersion} is not served here. Get a new token from POST /auth.`,
      unauthorized,
    )
  const credential = await services.credentialOf(claims.clientId)
  // Without this check, a token would work for up to ten minutes after its credential was disabled or changed.
  if (
    !credential ||
    credential.tenantId !== claims.tenantId ||
    credential.isDisabled ||
    claims.issuedAt < credential.tokensNotBefore
  )
    throw new ApiError(
      requestErrors.token_revoked,
      'The access token has been revoked. Get a new one from POST /auth.',
      { ...unauthorized, presented: { clientId: claims.clientId, tenantId: claims.tenantId } },
    )
  const { requestsPerMinute, tenantRequestsPerMinute } = credential
  return { kind: 'integrator', ...claims, version: claims.apiVersion, requestsPerMinute, tenantRequestsPerMinute }
}

function bearerToken(authorization: string | undefined, expected: string): string {
  const token = /^bearer +([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  if (token) return token
  throw authorization === undefined
    ? new ApiError(
        requestErrors.token_missing,
        `Send the header Authorization: Bearer <ACCESS_TOKEN>, with ${expected}.`,
        unauthorized,
      )
    : new ApiError(
        requestErrors.token_invalid,
        `The Authorization header must be Bearer, a space and ${expected}.`,
        unauthorized,
      )
}
