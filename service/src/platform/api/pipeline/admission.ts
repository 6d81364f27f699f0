import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasDutySomewhere } from '../declare/duties.ts'
import type { OperatorHeader, TenantHeader } from '../declare/operation.ts'
import { requirePasskey, requireSignedIn } from '../declare/require-passkey.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import type { CellWork } from '../overload/request-slots.ts'
import { credentialBucket, guardAddress, limitCaller, operatorBucket } from '../rate-limit/rate-limit.ts'
import { authenticateIntegrator, authenticateOperator, callerOf, type Integrator, type Operator } from './bearer.ts'
import { accessOf } from './runner.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the bearer token has been verified. */
    caller: Integrator | Operator | undefined
  }
}

/** Runs the checks before the body is read. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function admitIntegrator(header: TenantHeader, services: PipelineServices): Admission {
  const { scopes } = header
  return async (request, reply) => {
    const caller = await guarded(services, request, authenticateIntegrator)
    request.caller = caller
    request.slot?.identify({
      party: callerOf(caller),
      workOf: () => cellWorkOf(header, caller, services),
      isArriving: isArriving(request),
    })
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
    request.slot?.identify({
      party: callerOf(caller),
      workOf: () => cellWorkOf(header, caller, services),
      isArriving: isArriving(request),
    })
    await limitCaller(services.rateLimiter, operatorBucket(caller), reply)
    requireDuty(header, caller)
    requireSession(header, caller, services.clock())
  }
}

/** Returns undefined for a tenant's first request: its cell is looked up in the directory later, after admission. */
function cellWorkOf(
  header: TenantHeader | OperatorHeader,
  { tenantId }: Integrator | Operator,
  { placement }: PipelineServices,
): CellWork | undefined {
  const cell = placement.knownCellOf(tenantId)
  return cell === undefined ? undefined : { cell, access: accessOf(header) }
}

/** Uploads have separate limits, see spool.ts. A file must not be received in vain, so it takes a slot at once. */
function isArriving({ raw, routeOptions }: FastifyRequest): boolean {
  return !raw.complete && !routeOptions.config.operation?.header.upload
}

/** Checks that the caller has the duty somewhere. requireDutyForOffering checks the offering, in the transaction. */
function requireDuty({ duty }: OperatorHeader, caller: Operator): void {
  if (hasDutySomewhere(caller, duty)) return
  const own = caller.duties.map((granted) => granted.duty).join(', ')
  throw new ApiError(
    requestErrors.insufficient_duty,
    `This operation needs the duty ${duty}; yours are ${own || 'none'}.`,
  )
}

function requireSession({ session }: OperatorHeader, caller: Operator, now: Date): void {
  if (!session) return
  requireSignedIn(caller)
  if (session === 'passkey') requirePasskey(caller, now)
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

/** Returns the caller of a request that has passed admitIntegrator. */
export function integratorOf({ caller }: FastifyRequest): Integrator {
  if (caller?.kind !== 'integrator') throw new Error('an operation for integrators runs without an integrator')
  return caller
}

/** Returns the caller of a request that has passed admitOperator. */
export function operatorOf({ caller }: FastifyRequest): Operator {
  if (caller?.kind !== 'operator') throw new Error('an operation for operators runs without an operator user')
  return caller
}
