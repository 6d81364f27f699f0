import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { standardHeaders } from '../../base/transport.ts'
import type { Operation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import type { ApiError } from '../errors/errors.ts'
import { type KnownCaller, KnownCallers } from '../overload/known-callers.ts'
import { type RequestSlots, refuseBody } from '../overload/request-slots.ts'
import { callerOf } from '../pipeline/bearer.ts'
import { accessOf } from '../pipeline/runner.ts'
import { addressBucket, rateLimited } from '../rate-limit/rate-limit.ts'
import type { HealthChecks } from './health.ts'

type EarlyServices = Pick<PipelineServices, 'rateLimiter' | 'versions' | 'databases'>

/**
 * Rejects requests early that the pipeline would reject after its other hooks. This costs a fraction, and leaves the
 * capacity to others:
 *
 * - 429 for requests without credentials from an address that has sent too many of them,
 * - 429 for a caller with too many rejected requests,
 * - 429 for a body that is still arriving, if its caller has no room left for it,
 * - 503 if all slots for such a request are in use, and 429 if the caller has used up its own.
 */
export function rejectEarly(
  app: FastifyInstance,
  slots: RequestSlots,
  services: EarlyServices,
  health: HealthChecks,
): void {
  const callers = new KnownCallers()
  const reject = (error: ApiError, request: FastifyRequest, reply: FastifyReply) => {
    request.errorCode = error.code
    const body = JSON.stringify(error.toBody())
    reply.hijack()
    reply.raw
      .writeHead(error.status, {
        ...standardHeaders(request.id, services.versions),
        ...error.headers,
        ...(health.isDraining() && { connection: 'close' }),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      .end(body)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    if (!operation || !needsCredentials(operation)) return done()
    const caller = callers.find(request)
    const error = floodError(request, services) ?? callerError(operation, caller, { callers, slots, services })
    if (error) return reject(error, request, reply)
    if (!caller || operation.header.upload || !slots.hasNoRoomFor(caller)) return done()
    // By then a body that came with its headers is complete, and needs no room.
    setImmediate(() => {
      const isRefused = !request.raw.complete && !request.raw.destroyed && slots.hasNoRoomFor(caller)
      if (isRefused) reject(refuseBody(), request, reply)
      else done()
    })
  })
  app.addHook('onResponse', (request, reply, done) => {
    const caller = request.caller ? callerOf(request.caller) : callers.find(request)
    if (request.caller && caller) callers.remember(request, caller)
    if (caller && reply.statusCode >= 400) callers.countRejection(caller)
    done()
  })
}

function needsCredentials({ kind }: Operation): boolean {
  return kind === 'tenant' || kind === 'operator' || kind === 'stream'
}

function floodError({ headers, ip }: FastifyRequest, { rateLimiter }: EarlyServices): ApiError | undefined {
  if (headers.authorization !== undefined || headers.cookie !== undefined) return undefined
  const decision = rateLimiter.decisionIfFull(addressBucket(ip))
  return decision && rateLimited(decision)
}

function callerError(
  { header }: Operation,
  caller: KnownCaller | undefined,
  { callers, slots, services }: { callers: KnownCallers; slots: RequestSlots; services: EarlyServices },
): ApiError | undefined {
  const flood = caller && callers.flood(caller)
  return flood ?? slots.rejection(accessOf(header), services.databases.cells.keys(), caller)
}
