import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasDuty } from '../declare/duties.ts'
import type { OperatorHeader, TenantHeader } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { credentialBucket, guardAddress, limitCaller, operatorBucket } from '../rate-limit/rate-limit.ts'
import { authenticateIntegrator, authenticateOperator, type Integrator, type Operator } from './bearer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the bearer token has been verified. */
    caller: Integrator | Operator | undefined
  }
}

/** The checks before the body is read. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function admitIntegrator({ scopes }: TenantHeader, services: PipelineServices): Admission {
  return async (request, reply) => {
    const caller = await guarded(services, request, authenticateIntegrator)
    request.caller = caller
    request.slot?.identify()
    reply.headers(services.versions.headersOf(caller.version))
    await limitCaller(services.rateLimiter, credentialBucket(caller), reply)
    if (scopes.some((scope) => caller.scopes.includes(scope))) return
    throw new ApiError(
      requestErrors.insufficient_scope,
      `This operation needs the scope ${scopes.join(' or ')}; the token has ${caller.scopes.join(', ')}.`,
    )
  }
}

export function admitOperator(header: OperatorHeader, services: PipelineServices): Admission {
  return async (request, reply) => {
    const caller = await guarded(services, request, authenticateOperator)
    request.caller = caller
    request.slot?.identify()
    await limitCaller(services.rateLimiter, operatorBucket(caller), reply)
    requireDuty(header, caller)
    requireSession(header, caller, services.clock())
  }
}

function requireDuty({ duty }: OperatorHeader, caller: Operator): void {
  if (hasDuty(caller, duty)) return
  const own = caller.duties.map((granted) => granted.duty).join(', ')
  throw new ApiError(
    requestErrors.insufficient_duty,
    `This operation needs the duty ${duty}; yours are ${own || 'none'}.`,
  )
}

const passkeyMsMax = 5 * 60_000

function requireSession({ session }: OperatorHeader, { proof }: Operator, now: Date): void {
  if (!session) return
  if (proof.type !== 'session')
    throw new ApiError(
      requestErrors.session_required,
      'This operation needs a signed-in person; a personal access token is not enough.',
    )
  if (session !== 'passkey') return
  const { steppedUpAt } = proof
  if (!steppedUpAt || steppedUpAt.getTime() <= now.getTime() - passkeyMsMax)
    throw new ApiError(requestErrors.step_up_needed, 'Use your passkey, then repeat the request.')
}

/** Turns the 401 of an address that has sent too many bad tokens into a 429. */
async function guarded<Caller>(
  services: PipelineServices,
  request: FastifyRequest,
  authenticate: (services: PipelineServices, request: FastifyRequest) => Promise<Caller>,
): Promise<Caller> {
  try {
    return await authenticate(services, request)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await guardAddress(services.rateLimiter, request.ip)
    throw error
  }
}

/** The caller of a request that has passed admitIntegrator. */
export function integratorOf({ caller }: FastifyRequest): Integrator {
  if (caller?.kind !== 'integrator') throw new Error('an operation for integrators runs without an integrator')
  return caller
}

/** The caller of a request that has passed admitOperator. */
export function operatorOf({ caller }: FastifyRequest): Operator {
  if (caller?.kind !== 'operator') throw new Error('an operation for operators runs without an operator user')
  return caller
}
