import { randomUUID } from 'node:crypto'
import underPressure from '@fastify/under-pressure'
import { metrics } from '@opentelemetry/api'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { assertDeclared, type Operation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { answerBrokenRequest, answerError } from '../errors/error-responses.ts'
import { ApiError, unavailable, validationFailed } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { serveDocs } from '../openapi/docs.ts'
import { type ApiDescription, openApiDocument } from '../openapi/openapi.ts'
import { keyOf, serveOperations } from '../pipeline/pipeline.ts'
import { type HealthChecks, serveHealth } from './health.ts'
import type { RequestLogger } from './logged-request.ts'
import { methodsAt } from './routes.ts'
import { bodyBytesMax, headerBytesMax, standardHeaders } from './transport.ts'

// How long a file may take to arrive: 256 MiB at 1 MiB a second.
const uploadMs = 300_000

export interface ServerOptions {
  readonly operations: readonly Operation[]
  /** What their paths begin with; each serves all of them. */
  readonly prefixes: readonly string[]
  /** What the reference says beside the operations; without it there is none. */
  readonly description?: ApiDescription
  readonly services: PipelineServices
  /** Where integrators can look up what they have asked for; operators have the audit log instead. */
  readonly requestLog?: RequestLogger
  readonly health: HealthChecks
  readonly config: Pick<Config, 'trustedProxies' | 'requestsInFlightMax' | 'eventLoopDelayMaxMs'>
  readonly log: Logger
}

/** The HTTP server: everything around the operations that is the same for each of them. */
export async function createServer({
  operations,
  prefixes,
  description,
  services,
  requestLog,
  health,
  config,
  log,
}: ServerOptions): Promise<FastifyInstance> {
  assertDeclared(operations)
  const { versions } = services
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    trustProxy: config.trustedProxies ?? false,
    // A request on a connection that is still open while we drain is served like any other.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: operations.some(({ header }) => header.upload) ? uploadMs : 30_000,
    keepAliveTimeout: 72_000,
    // Long ids reach the validation, which says what is wrong with them; the router would only say 414.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headerBytesMax },
    // Node would answer a request without Host itself, in a shape that is not ours.
    http: { maxHeaderSize: headerBytesMax, requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, versions),
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(standardHeaders(request.id, versions))),
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)

  // An expectation that we do not know is no reason to refuse: the request is answered as it is.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  // Bodies arrive as bytes; the pipeline decides what to do with them once it knows who sends them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(standardHeaders(request.id, versions))
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw validationFailed([{ detail: 'The request has no Host header.', header: 'Host' }])
  })
  // Looked at when the answer leaves: a connection that was busy when the draining began must not stay open after it.
  app.addHook('onSend', async (_request, reply) => {
    if (health.isDraining()) reply.header('connection', 'close')
  })
  await refuseOverload(app, config)
  observeRequests(app)
  if (requestLog) logRequests(app, requestLog)

  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerUnknownRoute({ operations, prefixes }, request, reply))
  serveHealth(app, health)
  if (description) serveDocs(app, description.title, () => openApiDocument(description, operations))
  serveOperations(app, operations, prefixes, services)
  return app
}

/** Answers 503 while there is still room to say so: past these limits every request would only become slower. */
async function refuseOverload(app: FastifyInstance, config: ServerOptions['config']): Promise<void> {
  let inFlight = 0
  app.addHook('onRequest', async (request, reply) => {
    if (isHealthCheck(request)) return
    if (inFlight >= config.requestsInFlightMax) throw unavailable('The service is at its limit. Try again shortly.')
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
  })
  await app.register(underPressure, {
    maxEventLoopDelay: config.eventLoopDelayMaxMs,
    pressureHandler: (request, _reply, _type, delayMs) => {
      // A start that took the first second has measured nothing yet, which the plugin takes for an endless delay.
      const isMeasured = Number.isFinite(delayMs)
      if (isMeasured && !isHealthCheck(request)) throw unavailable('The service is overloaded. Try again shortly.')
    },
  })
}

function isHealthCheck(request: FastifyRequest): boolean {
  return request.routeOptions.config.isHealthCheck === true
}

/** One log line and one measurement for each request. The template of the path, never the path with its query. */
function observeRequests(app: FastifyInstance): void {
  const duration = metrics.getMeter('http').createHistogram('http_server_request_duration', {
    description: 'Time from the first byte to the end of the answer',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.header.id ?? 'none'
    duration.record(reply.elapsedTime / 1000, { operation, status: reply.statusCode })
    // Health checks come every few seconds and say nothing that the metrics do not.
    request.log[isHealthCheck(request) ? 'debug' : 'info'](
      {
        operation,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        code: request.refusal,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        tenant_id: request.caller?.tenantId,
        ...(request.caller?.kind === 'operator'
          ? { user_id: request.caller.userId }
          : { client_id: request.caller?.clientId }),
      },
      'request',
    )
  })
}

/** Those of a credential: without a valid token a request is nobody's. */
function logRequests(app: FastifyInstance, requestLog: RequestLogger): void {
  app.addHook('onResponse', async (request, reply) => {
    const { caller, method } = request
    if (caller?.kind !== 'integrator') return
    requestLog.add(caller.tenantId, {
      clientId: caller.clientId,
      requestId: request.id,
      answeredAt: new Date(),
      method,
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      code: request.refusal ?? null,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      idempotencyKey: keyOf(request) ?? null,
    })
  })
}

function answerUnknownRoute(
  { operations, prefixes }: Pick<ServerOptions, 'operations' | 'prefixes'>,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const allow = methodsAt(operations, prefixes, request.url)
  if (!allow)
    throw new ApiError(
      requestErrors.route_not_found,
      `There is no operation at this path. Paths begin with ${prefixes.join(' or ')}.`,
    )
  reply.header('allow', allow.join(', '))
  if (request.method === 'OPTIONS') return reply.status(204).send()
  throw new ApiError(requestErrors.method_not_allowed, `This path takes ${allow.join(', ')}, not ${request.method}.`)
}
