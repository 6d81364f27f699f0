import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTenantTransaction } from '../db/tenant-transaction.ts'
import { authenticate, type Caller } from './bearer.ts'
import { ApiError, validationFailed } from './errors.ts'
import { type Answer, once } from './idempotency.ts'
import { parseJsonBody } from './json-body.ts'
import type { Operation } from './operation.ts'
import { readQuery } from './query.ts'
import { credentialBucket, rateLimited, rateLimitHeaders } from './rate-limit.ts'
import { prefixes } from './routes.ts'
import { serializerSchema } from './serializer-schema.ts'
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
        schema: { response: { [header.success.status]: serializerSchema(header.success.body) } },
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
          const serialize = (result: unknown) => reply.status(header.success.status).serialize(result) as string
          const { status, text, headers } = await run(operation, input, request, reply, services, serialize)
          return reply.status(status).headers(headers).type('application/json; charset=utf-8').send(text)
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

interface RawInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

function readInput(
  { header }: Operation,
  validate: ReturnType<typeof requestValidator>,
  request: FastifyRequest,
): RawInput {
  const { headers } = request
  // An operation that takes no body ignores whatever comes as one, so that clients which always send a type can call
  // it.
  const body = header.body && parseJsonBody(headers['content-type'], headers['content-encoding'], request.body)
  const params = request.params as Record<string, string>
  const parts = { params, query: readQuery(header.query, request.query as Record<string, unknown>), body }
  const failures = validate({ ...parts, idempotencyKey: keyOf(request) })
  if (failures.length > 0) throw validationFailed(failures)
  // Whatever the case of an id in the path, there is one way to write it behind this line.
  const inOneCase = Object.entries(params).map(([name, id]) => [name, id.toLowerCase()])
  return { ...parts, params: Object.fromEntries(inOneCase) as Record<string, string> }
}

function keyOf(request: FastifyRequest): string | undefined {
  return request.headers['x-idempotency-key'] as string | undefined
}

async function run(
  operation: Operation,
  input: RawInput,
  request: FastifyRequest,
  reply: FastifyReply,
  services: PipelineServices,
  serialize: (result: unknown) => string,
): Promise<Answer> {
  const { header } = operation
  const now = services.clock()
  const answer = (text: string): Answer => ({ status: header.success.status, text, headers: {} })
  if (operation.kind === 'public') {
    const addHeaders = (headers: Record<string, string>) => void reply.headers(headers)
    const context = { ...services, sourceAddress: request.ip, now, addHeaders }
    return answer(serialize(await operation.handle(input as never, context)))
  }
  const { tenantId, clientId } = request.caller as Caller
  const access = header.method === 'GET' ? 'read' : 'write'
  const base = services.publicBaseUrl ?? `${request.protocol}://${request.host}`
  const prefix = prefixes.find((one) => request.url.startsWith(`${one}/`)) ?? prefixes[0]
  const canonicalPath = header.path.replaceAll(/:(\w+)/g, (_, name: string) => input.params[name] ?? '')
  const located = await inTenantTransaction(services, { tenantId, access }, async (tx): Promise<Answer> => {
    const vault = services.vaults.of(tx, tenantId)
    const here = base + prefix + canonicalPath
    const effect = async () =>
      answer(serialize(await operation.handle(input as never, { tenantId, tx, vault, now, here })))
    const key = keyOf(request)
    if (header.idempotency === 'none' || key === undefined) return effect()
    return once(tx, vault, { tenantId, clientId, method: header.method, canonicalPath, key, body: input.body }, effect)
  })
  const { location } = header.success
  if (location) located.headers['location'] = base + prefix + location(JSON.parse(located.text) as never)
  return located
}
