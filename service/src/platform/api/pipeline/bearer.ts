import type { FastifyRequest } from 'fastify'
import type { KnownOperator, PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { guardAddress } from '../rate-limit/rate-limit.ts'
import type { Versions } from '../server/versions.ts'
import { type TokenClaims, unauthorized, verifyToken } from './access-token.ts'

/** Who calls: what the token says, and what is known of its owner now. */
export type Caller = Integrator | Operator

interface Integrator extends TokenClaims {
  readonly kind: 'integrator'
  readonly version: NonNullable<Versions['standard']>
  readonly requestsPerMinute: number
}

interface Operator extends KnownOperator {
  readonly kind: 'operator'
}

/** The first check of a request that needs a token; throws 401, or 429 for an address that shows too many bad ones. */
export async function authenticateCaller(
  services: PipelineServices,
  kind: 'tenant' | 'operator',
  request: FastifyRequest,
): Promise<Caller> {
  try {
    const { authorization } = request.headers
    return kind === 'operator' ? await operatorOf(services, authorization) : await integratorOf(services, authorization)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await guardAddress(services.rateLimiter, request.ip)
    throw error
  }
}

async function operatorOf(services: PipelineServices, authorization: string | undefined): Promise<Operator> {
  const operator = await services.operatorOf(bearerToken(authorization, 'a personal access token'))
  if (!operator)
    throw new ApiError(
      requestErrors.token_invalid,
      'This is no personal access token of this environment.',
      unauthorized,
    )
  if (operator.expiresAt <= services.clock())
    throw new ApiError(
      requestErrors.token_expired,
      'The personal access token has expired. Have a new one made.',
      unauthorized,
    )
  if (operator.isRevoked)
    throw new ApiError(requestErrors.token_revoked, 'The personal access token was revoked.', unauthorized)
  return { kind: 'operator', ...operator }
}

function bearerToken(authorization: string | undefined, what: string): string {
  const token = /^bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  if (token) return token
  throw authorization === undefined
    ? new ApiError(
        requestErrors.token_missing,
        `Send the header Authorization: Bearer <ACCESS_TOKEN>, with ${what}.`,
        unauthorized,
      )
    : new ApiError(
        requestErrors.token_invalid,
        `The Authorization header must be Bearer, one space and ${what}.`,
        unauthorized,
      )
}

async function integratorOf(services: PipelineServices, authorization: string | undefined): Promise<Integrator> {
  const token = bearerToken(authorization, 'a token from POST /auth')
  const claims = await verifyToken(services.tokenSigningKeys, token, services.clock())
  if (!services.versions.isServed(claims.apiVersion))
    throw new ApiError(
      requestErrors.token_invalid,
      `Version ${claims.apiVersion} is not served here. Get a new token from POST /auth.`,
      unauthorized,
    )
  const credential = await services.credentialOf(claims.clientId)
  // A token outlives what it was issued for by up to ten minutes, unless somebody looks.
  if (
    !credential ||
    credential.tenantId !== claims.tenantId ||
    credential.isDisabled ||
    claims.issuedAt < credential.tokensNotBefore
  )
    throw new ApiError(
      requestErrors.token_revoked,
      'The access token has been revoked. Try POST /auth once more.',
      unauthorized,
    )
  return { kind: 'integrator', ...claims, version: claims.apiVersion, requestsPerMinute: credential.requestsPerMinute }
}
