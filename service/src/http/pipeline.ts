import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTenantTransaction } from '../db/tenant-transaction.ts'
import { authenticate, type Caller } from './bearer.ts'
import { ApiError, validationFailed } from './errors.ts'
import { parseJsonBody } from './json-body.ts'
import type { Operation } from './operation.ts'
import { credentialBucket, rateLimited, rateLimitHeaders } from './rate-limit.ts'
import { prefixes } from './routes.ts'
import type { PipelineServices } from './services.ts'
import { requestValidator } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once the bearer token has been verified. */
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/**
 * Serves the operations under both prefixes. This is the order of checks, and the only place that has one: route,
 * bearer, rate limit and scope before a byte of the body is read; then the form of the request; then the operation in
 * its transaction. So a caller without a token learns nothing, and a refused request costs little.
 */
export function serveOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: PipelineServices,
): void {
  for (const operation of operations) {
    const { header } = operation
    const validate = requestValidator(operation)
    for (const prefix of prefixes) {
      app.route({
        method: header.method,
        url: prefix + header.path,
        config: { operation },
        schema: { response: { [header.success.status]: header.success.body } },
        onRequest: async (request, reply) => {
          if (operation.kind === 'public') return
          const caller = await authenticate(services, request)
          request.caller = caller
          reply.headers(services.versions.headersOf(caller.version))
          await limitRate(services, caller, reply)
          requireScope(operation.header.scopes, caller.scopes)
        },
        handler: async (request, reply) => {
          const input = readInput(operation, validate, request)
          const result = await run(operation, input, request, reply, services)
          return reply.status(header.success.status).send(result)
        },
      })
    }
  }
}

async function limitRate(services: PipelineServices, caller: Caller, reply: FastifyReply): Promise<void> {
  const decision = await services.rateLimiter.take(credentialBucket(caller.clientId, caller.requestsPerMinute))
  reply.headers(rateLimitHeaders(decision))
  if (!decision.accepted) throw rateLimited(decision)
}

function requireScope(needed: readonly string[], held: readonly string[]): void {
  if (needed.some((scope) => held.includes(scope))) return
  throw new ApiError(
    'insufficient_scope',
    `This operation needs the scope ${needed.join(' or ')}; the token has ${held.join(', ')}.`,
  )
}

function readInput(
  { header }: Operation,
  validate: ReturnType<typeof requestValidator>,
  request: FastifyRequest,
): { params: unknown; query: unknown; body: unknown } {
  const { headers } = request
  // An operation that takes no body ignores whatever comes as one, so that clients which always send a type can call
  // it.
  const body = header.body && parseJsonBody(headers['content-type'], headers['content-encoding'], request.body)
  const parts = { params: request.params, query: request.query, body }
  const failures = validate({ ...parts, idempotencyKey: headers['x-idempotency-key'] as string | undefined })
  if (failures.length > 0) throw validationFailed(failures)
  return parts
}

async function run(
  operation: Operation,
  input: { params: unknown; query: unknown; body: unknown },
  request: FastifyRequest,
  reply: FastifyReply,
  services: PipelineServices,
): Promise<unknown> {
  const now = services.clock()
  if (operation.kind === 'public')
    return operation.handle(input as never, {
      ...services,
      sourceAddress: request.ip,
      now,
      addHeaders: (headers) => void reply.headers(headers),
    })
  const { tenantId } = request.caller as Caller
  const access = operation.header.method === 'GET' ? 'read' : 'write'
  return inTenantTransaction(services, { tenantId, access }, (tx) =>
    operation.handle(input as never, { tenantId, tx, now }),
  )
}
