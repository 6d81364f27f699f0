import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { parse as parseQuery } from 'node:querystring'
import type { Readable } from 'node:stream'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import {
  bodyBytesMax,
  bodyPartsMax,
  headerBytesMax,
  mediaTypeLengthMax,
  queryLengthMax,
  standardHeaders,
} from '../../base/transport.ts'
import { assertDeclared } from '../declare/assert-declared.ts'
import type { Operation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { sendError, sendMalformedRequest, sendRequestTimeout } from '../errors/error-responses.ts'
import { ApiError, validationFailed } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { serveDocs } from '../openapi/docs.ts'
import { type ApiDescription, openApiDocument } from '../openapi/openapi.ts'
import { RequestSlots, type SlotLimits } from '../overload/request-slots.ts'
import { serveOperations } from '../pipeline/pipeline.ts'
import { type StreamLimits, Streams } from '../pipeline/streams.ts'
import { Exchanges } from './exchanges.ts'
import { type HealthChecks, serveHealth } from './health.ts'
import { type ConnectionLimits, createHttpServer } from './http-server.ts'
import type { RequestLogger } from './logged-request.ts'
import { observeRequests, recordRequests } from './observe-requests.ts'
import { rejectOverload } from './overload.ts'
import { rejectEarly } from './reject-early.ts'
import { unknownRouteHandler } from './routes.ts'

export interface ServerOptions {
  readonly operations: readonly Operation[]
  /** Path prefixes. Each serves all operations. */
  readonly prefixes: readonly string[]
  /** Texts of the API reference beyond the operations. If absent, the server serves no reference. */
  readonly description?: ApiDescription
  readonly services: PipelineServices
  /** Adds routes that are not operations, such as pages. */
  readonly addRoutes?: (app: FastifyInstance, services: PipelineServices) => void
  /** Records the requests of integrators. Operator users have the audit log instead. */
  readonly requestLog?: RequestLogger
  readonly health: HealthChecks
  readonly config: ConnectionLimits & SlotLimits & StreamLimits & Pick<Config, 'eventLoopDelayMaxMs'>
  readonly log: Logger
}

/** Creates the HTTP server with everything around the operations that they share. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { operations, prefixes, description, services, requestLog, health, config, log } = options
  assertDeclared(operations)
  const exchanges = new Exchanges(config, (socket) => sendRequestTimeout(socket, services.versions))
  const app = createApp(options, exchanges)
  const slots = new RequestSlots(config)
  rejectEarly(app, slots, services, health)
  addTransportHooks(app, options, exchanges)
  await rejectOverload(app, slots, config)
  observeRequests(app, services)
  if (requestLog) recordRequests(app, requestLog)

  app.setErrorHandler(sendError)
  app.setNotFoundHandler(unknownRouteHandler(operations, prefixes))
  serveHealth(app, health, { log, versions: services.versions.served })
  if (description) serveDocs(app, description.title, () => openApiDocument(description, operations))
  options.addRoutes?.(app, services)
  const streams = new Streams(services, { limits: config, isDraining: () => health.isDraining(), log })
  // Otherwise closing the server would wait for listeners that never leave.
  app.addHook('preClose', () => streams.end())
  serveOperations(app, operations, prefixes, services, streams)
  return app
}

function createApp(
  { operations, services: { versions }, config, log }: ServerOptions,
  exchanges: Exchanges,
): FastifyInstance {
  const receivesFiles = operations.some(({ header }) => header.upload)
  return Fastify({
    serverFactory: (handle) => createHttpServer(handle, exchanges, config, receivesFiles),
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    trustProxy: config.trustedProxies ?? false,
    // While draining, a request on an open connection is served like any other.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      ignoreTrailingSlash: true,
      // Long ids reach the validation, whose error says what is wrong with them; the router alone would respond 414.
      maxParamLength: headerBytesMax,
      querystringParser: (query) => parseQuery(query.slice(0, queryLengthMax)),
    },
    clientErrorHandler: (error, socket) => sendMalformedRequest(error, socket, versions),
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.headers(standardHeaders(request.id, versions))),
  })
}

function addTransportHooks(
  app: FastifyInstance,
  { services: { versions }, health }: ServerOptions,
  exchanges: Exchanges,
): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('errorCode', undefined)
  app.decorateRequest('presented', undefined)

  // An unknown Expect header is no reason to reject the request: it is served as if the header were absent.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  // Bodies arrive as bytes; the pipeline parses them once it has identified the caller.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standardHeaders(request.id, versions))
    requireOneHost(request)
    requireShortMediaType(request)
    done()
  })
  // A client determines the parts of a body only if it sends chunks.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.caller && request.headers['transfer-encoding'] !== undefined) limitParts(payload, request.raw.socket)
    done()
  })
  // A caller that is not identified gets no more time for a file than for any other body.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const isUpload = request.routeOptions.config.operation?.header.upload !== undefined
    if (request.caller && isUpload) exchanges.allowUpload(request.raw)
    else if (request.caller && !request.raw.complete) exchanges.hurry(request.raw)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Fastify closes the connection. That resets it while the client is sending, so it would never read the response.
    if (reply.statusCode === 413) reply.removeHeader('connection')
    // Checked when the response is sent: a connection that was busy when draining began must not stay open.
    if (health.isDraining()) reply.header('connection', 'close')
    done()
  })
}

/** A proxy and this server that disagree about which of two hosts counts could be made to disagree about more. */
function requireOneHost({ raw }: FastifyRequest): void {
  let hosts = 0
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw validationFailed([{ detail: 'The request has more than one Host header.', header: 'Host' }])
  if (hosts === 0 && raw.httpVersion === '1.1')
    throw validationFailed([{ detail: 'The request has no Host header.', header: 'Host' }])
}

function requireShortMediaType({ headers }: FastifyRequest): void {
  if ((headers['content-type']?.length ?? 0) > mediaTypeLengthMax)
    throw new ApiError(requestErrors.unsupported_media_type, 'The Content-Type header is too long.')
}

/** Closes the connection of a client that sends its body in too many parts. */
function limitParts(body: Readable, socket: Socket): void {
  let parts = 0
  body.on('data', () => {
    parts += 1
    if (parts > bodyPartsMax) socket.destroy()
  })
}
