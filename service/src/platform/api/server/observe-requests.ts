import { metrics } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import { idempotencyKeyOf } from '../pipeline/input.ts'
import { isHealthCheck } from './health.ts'
import type { RequestLogger } from './logged-request.ts'

/** Writes one log line and one measurement per request, with the path template and never the path or query itself. */
export function observeRequests(app: FastifyInstance): void {
  const duration = metrics.getMeter('http').createHistogram('http_server_request_duration', {
    description: 'Time from the first byte of the request to the end of the response',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.header.id ?? 'none'
    duration.record(reply.elapsedTime / 1000, { operation, status: reply.statusCode })
    // Health checks come every few seconds and add nothing that the metrics do not have.
    request.log[isHealthCheck(request) ? 'debug' : 'info'](
      {
        operation,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        code: request.errorCode,
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

/** Records the requests of integrators. A request without a valid token belongs to no credential and is left out. */
export function recordRequests(app: FastifyInstance, requestLog: RequestLogger): void {
  app.addHook('onResponse', async (request, reply) => {
    const { caller, method } = request
    if (caller?.kind !== 'integrator') return
    requestLog.add(caller.tenantId, {
      clientId: caller.clientId,
      requestId: request.id,
      respondedAt: new Date(),
      method,
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      code: request.errorCode ?? null,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      idempotencyKey: idempotencyKeyOf(request) ?? null,
    })
  })
}
