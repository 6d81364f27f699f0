import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { assertDeclared } from '../declare/assert-declared.ts'
import type { Operation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { sendError, sendMalformedRequest } from '../errors/error-responses.ts'
import { validationFailed } from '../errors/errors.ts'
import { serveDocs } from '../openapi/docs.ts'
import { type ApiDescription, openApiDocument } from '../openapi/openapi.ts'
import { serveOperations } from '../pipeline/pipeline.ts'
import { type HealthChecks, serveHealth } from './health.ts'
import type { RequestLogger } from './logged-request.ts'
import { observeRequests, recordRequests } from './observe-requests.ts'
import { rejectOverload } from './overload.ts'
import { rejectUnknownRoute } from './routes.ts'
import { bodyBytesMax, headerBytesMax, standardHeaders } from './transport.ts'

export interface ServerOptions {
  readonly operations: readonly Operation[]
  /** Path prefixes. Each serves all operations. */
  readonly prefixes: readonly string[]
  /** Texts of the API reference beyond the operations. Without it the server serves no reference. */
  readonly description?: ApiDescription
  readonly services: PipelineServices
  /** Records the requests of integrators. Operator users have the audit log instead. */
  readonly requestLog?: RequestLogger
  readonly health: HealthChecks
  readonly config: Pick<Config, 'trustedProxies' | 'requestsInFlightMax' | 'eventLoopDelayMaxMs'>
  readonly log: Logger
}

/** The HTTP server with everything around the operations that is the same for each of them. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { operations, prefixes, description, services, requestLog, health, config } = options
  assertDeclared(operations)
  const app = createApp(options)
  addTransportHooks(app, options)
  await rejectOverload(app, config)
  observeRequests(app)
  if (requestLog) recordRequests(app, requestLog)

  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => rejectUnknownRoute(operations, prefixes, request, reply))
  serveHealth(app, health, services.versions.served)
  if (description) serveDocs(app, description.title, () => openApiDocument(description, operations))
  serveOperations(app, operations, prefixes, services)
  return app
}

// How long a file may take to arrive: 256 MiB at 1 MiB a second.
const uploadTimeoutMs = 300_000
const requestTimeoutMs = 30_000

function createApp({ operations, services: { versions }, config, log }: ServerOptions): FastifyInstance {
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    trustProxy: config.trustedProxies ?? false,
    // While draining, a request on an open connection is served like any other.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: operations.some(({ header }) => header.upload) ? uploadTimeoutMs : requestTimeoutMs,
    keepAliveTimeout: 72_000,
    // Long ids reach the validation, whose error says what is wrong with them; the router would only respond 414.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headerBytesMax },
    // Node would reject a request without Host itself, with a body that is not ours.
    http: { maxHeaderSize: headerBytesMax, requireHostHeader: false },
    clientErrorHandler: (error, socket) => sendMalformedRequest(error, socket, versions),
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.headers(standardHeaders(request.id, versions))),
  })
}

function addTransportHooks(app: FastifyInstance, { services: { versions }, health }: ServerOptions): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('errorCode', undefined)

  // An unknown Expect header is no reason to reject: the request is served without it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  // Bodies arrive as bytes; the pipeline parses them once it has identified the caller.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(standardHeaders(request.id, versions))
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw validationFailed([{ detail: 'The request has no Host header.', header: 'Host' }])
  })
  // Checked when the response is sent: a connection that was busy when draining began must not stay open after it.
  app.addHook('onSend', async (_request, reply) => {
    if (health.isDraining()) reply.header('connection', 'close')
  })
}
