import type { FastifyRequest } from 'fastify'
import { type TokenClaims, unauthorized, verifyToken } from './access-token.ts'
import { ApiError } from './errors.ts'
import { guardAddress } from './rate-limit.ts'
import type { PipelineServices } from './services.ts'
import type { Versions } from './versions.ts'

/** Who calls: what the token says, and what is known of its credential now. */
export interface Caller extends TokenClaims {
  readonly version: NonNullable<Versions['standard']>
  readonly requestsPerMinute: number
}

/** The first check of a request that needs a token; throws 401, or 429 for an address that shows too many bad ones. */
export async function authenticate(services: PipelineServices, request: FastifyRequest): Promise<Caller> {
  try {
    return await callerOf(services, request.headers.authorization)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await guardAddress(services.rateLimiter, request.ip)
    throw error
  }
}

async function callerOf(services: PipelineServices, authorization: string | undefined): Promise<Caller> {
  const token = /^bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  if (!token)
    throw authorization === undefined
      ? new ApiError(
          'token_missing',
          'Send the header Authorization: Bearer <ACCESS_TOKEN>, with a token from POST /auth.',
          unauthorized,
        )
      : new ApiError(
          'token_invalid',
          'The Authorization header must be Bearer, one space and a token from POST /auth.',
          unauthorized,
        )
  const claims = await verifyToken(services.tokenSigningKeys, token, services.clock())
  if (!services.versions.isServed(claims.apiVersion))
    throw new ApiError(
      'token_invalid',
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
    throw new ApiError('token_revoked', 'The access token has been revoked. Try POST /auth once more.', unauthorized)
  return { ...claims, version: claims.apiVersion, requestsPerMinute: credential.requestsPerMinute }
}
