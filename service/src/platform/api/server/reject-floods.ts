import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PipelineServices } from '../declare/services.ts'
import { addressBucket, rateLimited } from '../rate-limit/rate-limit.ts'
import type { HealthChecks } from './health.ts'
import { standardHeaders } from './transport.ts'

/**
 * Responds 429 to requests without credentials from an address that has sent too many of them. The pipeline would
 * respond the same, after its other hooks: this costs half as much, which leaves the rest to everybody else.
 */
export function rejectFloods(
  app: FastifyInstance,
  { rateLimiter, versions }: Pick<PipelineServices, 'rateLimiter' | 'versions'>,
  health: HealthChecks,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!needsCredentials(request) || hasCredentials(request)) return done()
    const decision = rateLimiter.decisionIfFull(addressBucket(request.ip))
    if (!decision) return done()
    const error = rateLimited(decision)
    request.errorCode = error.code
    const body = JSON.stringify(error.toBody())
    reply.hijack()
    reply.raw
      .writeHead(error.status, {
        ...standardHeaders(request.id, versions),
        ...error.headers,
        ...(health.isDraining() && { connection: 'close' }),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      .end(body)
  })
}

function needsCredentials({ routeOptions }: FastifyRequest): boolean {
  const kind = routeOptions.config.operation?.kind
  return kind === 'tenant' || kind === 'operator' || kind === 'stream'
}

function hasCredentials({ headers }: FastifyRequest): boolean {
  return headers.authorization !== undefined || headers.cookie !== undefined
}
