import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { inDirectoryTransaction, inTenantTransaction } from '../../db/tenant-transaction.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type FileResponse, fileHeaders } from '../declare/file-response.ts'
import type { Operation, Sender } from '../declare/operation.ts'
import { isAtLeast } from '../declare/roles.ts'
import type { PipelineServices } from '../declare/services.ts'
import { type SpooledFile, spooled, tooLarge } from '../declare/spool.ts'
import { ApiError, validationFailed } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { credentialBucket, operatorBucket, rateLimited, rateLimitHeaders } from '../rate-limit/rate-limit.ts'
import { authenticateCaller, type Caller } from './bearer.ts'
import { type OperationResponse, once } from './idempotency.ts'
import { parseJsonBody, requireMediaType } from './json-body.ts'
import { readQuery } from './query.ts'
import { serializerSchema } from './serializer-schema.ts'
import { requireSender } from './signed-request.ts'
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
 * Serves the operations under each prefix. This is the order of checks, and the only place that has one: route,
 * bearer, rate limit and scope before a byte of the body is read; then a signature, where the operation wants one, over
 * the bytes as they came; then the form of the request; then the operation in its transaction. So a caller without a
 * token learns nothing, and a refused request costs little.
 */
export function serveOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  prefixes: readonly string[],
  services: PipelineServices,
): void {
  for (const operation of operations) {
    const { header } = operation
    const validate = requestValidator(operation)
    for (const prefix of prefixes) {
      routesOf(
        app,
        operation,
      )({
        method: header.method,
        url: prefix + header.path,
        config: { operation },
        schema: { response: { [header.success.status]: serializerSchema(header.success.body) } },
        onRequest: async (request, reply) => {
          // Those without a token say who they are in their bodies.
          if (operation.kind === 'public' || operation.kind === 'signed') return
          const caller = await authenticateCaller(services, operation.kind, request)
          request.caller = caller
          if (caller.kind === 'integrator') reply.headers(services.versions.headersOf(caller.version))
          await limitRate(services, caller, reply)
          requirePermission(operation, caller)
        },
        handler: async (request, reply) => {
          const sender =
            operation.kind === 'signed' ? await requireSender(operation, request, reply, services) : undefined
          const input = readInput(operation, validate, request)
          const answer = (file: SpooledFile | undefined) =>
            run(operation, { ...input, file }, { request, reply, prefix, sender }, services, serialize)
          const serialize = (result: unknown) => reply.status(header.success.status).serialize(result) as string
          const { status, text, headers } = await withFile(operation, request, answer)
          const type = header.success.file ?? 'application/json'
          return reply.status(status).headers(headers).type(`${type}; charset=utf-8`).send(text)
        },
      })
    }
  }
}

/**
 * Where the operation's route is made. One that takes a file has it as a stream, so that nothing of it is in memory;
 * for all others bodies arrive as bytes, of which there are few.
 */
function routesOf(app: FastifyInstance, { header }: Operation): (route: RouteOptions) => void {
  if (!header.upload) return (route) => void app.route(route)
  return (route) =>
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      scope.route(route)
    })
}

/** Behind all checks: a file is received only from who may send it, and only as much as the operation takes. */
async function withFile<Result>(
  { header: { upload } }: Operation,
  request: FastifyRequest,
  work: (file: SpooledFile | undefined) => Promise<Result>,
): Promise<Result> {
  if (!upload) return work(undefined)
  const { headers, body } = request
  if (!body) throw validationFailed([{ detail: 'The request needs a file as its body.', pointer: '' }])
  requireMediaType(headers['content-type'], headers['content-encoding'], upload.mediaTypes)
  if (Number(headers['content-length'] ?? 0) > upload.bytesMax) throw tooLarge(upload.bytesMax)
  return spooled(body as AsyncIterable<Uint8Array>, upload, work)
}

async function limitRate(services: PipelineServices, caller: Caller, reply: FastifyReply): Promise<void> {
  const bucket =
    caller.kind === 'operator'
      ? operatorBucket(caller.tokenId)
      : credentialBucket(caller.clientId, caller.requestsPerMinute)
  const decision = await services.rateLimiter.take(bucket)
  reply.headers(rateLimitHeaders(decision))
  if (!decision.accepted) throw rateLimited(decision)
}

function requirePermission(operation: Operation, caller: Caller): void {
  if (operation.kind === 'tenant' && caller.kind === 'integrator') requireScope(operation.header.scopes, caller.scopes)
  else if (operation.kind !== 'operator' || caller.kind !== 'operator')
    throw new Error('a caller of one kind has reached an operation of another')
  else if (!isAtLeast(caller.role, operation.header.role))
    throw new ApiError(
      requestErrors.insufficient_role,
      `This operation needs the role ${operation.header.role}; yours is ${caller.role}.`,
    )
}

function requireScope(needed: readonly string[], held: readonly string[]): void {
  if (needed.some((scope) => held.includes(scope))) return
  throw new ApiError(
    requestErrors.insufficient_scope,
    `This operation needs the scope ${needed.join(' or ')}; the token has ${held.join(', ')}.`,
  )
}

interface RawInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  file?: SpooledFile | undefined
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

export function keyOf(request: FastifyRequest): string | undefined {
  return request.headers['x-idempotency-key'] as string | undefined
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  prefix: string
  /** Where the operation is a signed one. */
  sender: Sender | undefined
}

async function run(
  operation: Operation,
  input: RawInput,
  { request, reply, prefix, sender }: Exchange,
  services: PipelineServices,
  serialize: (result: unknown) => string,
): Promise<OperationResponse> {
  const { header } = operation
  const now = services.clock()
  const answer = (text: string): OperationResponse => ({ status: header.success.status, text, headers: {} })
  if (operation.kind === 'public') {
    const addHeaders = (headers: Record<string, string>) => void reply.headers(headers)
    const context = { ...services, sourceAddress: request.ip, now, addHeaders }
    return answer(serialize(await operation.handle(input as never, context)))
  }
  if (operation.kind === 'signed') {
    const { tenantId } = sender as Sender
    return inTenantTransaction(services, { tenantId, access: 'write' }, async (tx) => {
      const context = { tenantId, tx, vault: services.vaults.of(tx, tenantId), now, sender: sender as never }
      return answer(serialize(await operation.handle(input as never, context)))
    })
  }
  const caller = request.caller as Caller
  const { tenantId } = caller
  const callerId = caller.kind === 'operator' ? caller.userId : caller.clientId
  const access = header.method === 'GET' ? 'read' : 'write'
  const base = services.publicBaseUrl ?? `${request.protocol}://${request.host}`
  const canonicalPath = header.path.replaceAll(/:(\w+)/g, (_, name: string) => input.params[name] ?? '')
  const here = base + prefix + canonicalPath
  const work = async (tx: Transaction): Promise<OperationResponse> => {
    const vault = services.vaults.of(tx, tenantId)
    const trail = services.auditOf({
      type: caller.kind === 'operator' ? 'user' : 'credential',
      id: callerId,
      requestId: request.id,
    })
    const { secretPeppers, targets } = services
    const scopes = caller.kind === 'integrator' ? caller.scopes : []
    const context = { tenantId, tx, vault, secretPeppers, now, here, callerId, scopes, targets, audit: trail.add }
    const effect = async () => {
      const result = await operation.handle(input as never, context)
      if (operation.kind === 'operator' && access === 'write' && trail.isSilent)
        throw new Error(`${header.id} does not say what it changed`)
      await trail.write(tx)
      if (!header.success.file) return answer(serialize(result))
      return { ...answer((result as FileResponse).content), headers: fileHeaders(result as FileResponse) }
    }
    const key = keyOf(request)
    if (header.idempotency === 'none' || key === undefined) return effect()
    const keyed = { tenantId, clientId: callerId, method: header.method, canonicalPath, key, body: input.body }
    return once(tx, vault, keyed, effect)
  }
  const isInDirectory = operation.kind === 'operator' && operation.place === 'directory'
  const located = isInDirectory
    ? await inDirectoryTransaction(services.databases, { tenantId, access }, work)
    : await inTenantTransaction(services, { tenantId, access, msMax: header.upload?.msMax }, work)
  const { location } = header.success
  if (location) located.headers['location'] = base + prefix + location(JSON.parse(located.text) as never)
  return located
}
