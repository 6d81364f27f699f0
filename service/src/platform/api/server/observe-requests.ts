import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { counter, histogram } from '../../base/metric.ts'
import type { Operation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { idempotencyKeyOf } from '../pipeline/input.ts'
import { windowMs } from '../rate-limit/bucket.ts'
import { networkOf } from '../rate-limit/network.ts'
import { isHealthCheck } from './health.ts'
import type { RequestLogger } from './logged-request.ts'

/** Writes one log line and one measurement per request, with the path template and never the path or query itself. */
export function observeRequests(
  app: FastifyInstance,
  { databases, placement }: Pick<PipelineServices, 'databases' | 'placement'>,
): void {
  for (const cell of ['directory', ...databases.cells.keys()])
    for (const outcome of ['good', 'slow', 'untimed', 'failed']) outcomes.add(0, { cell, outcome })
  const rejected = new RejectedAddresses()
  const logsDebug = ['debug', 'trace'].includes(app.log.level)
  app.addHook('onResponse', (request, reply, done) => {
    const declared = request.routeOptions.config.operation
    const operation = declared?.header.id ?? 'none'
    // Probes come every few seconds. While a process drains, their 503 would count as failed requests.
    const isProbe = isHealthCheck(request)
    if (!isProbe) duration.record(reply.elapsedTime / 1000, { operation, status: String(reply.statusCode) })
    const outcome = declared && outcomeOf(declared, reply)
    const cell = (request.caller && placement.knownCellOf(request.caller.tenantId)) ?? 'directory'
    if (outcome) outcomes.add(1, { cell, outcome })
    const isRoutine = isProbe || rejected.isKnown(request, reply.statusCode)
    if (isRoutine && !logsDebug) return done()
    request.log[isRoutine ? 'debug' : 'info'](
      {
        operation,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        code: request.errorCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        ...identityOf(request, reply.statusCode),
      },
      'request',
    )
    done()
  })
}

const duration = histogram('http_server_request_duration', {
  description:
    'Seconds from the first byte of a request to the end of its response. Operation `none` has everything that is ' +
    'not an operation: unknown paths, pages and documents. Probes are not measured',
  labels: ['operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

/**
 * Classifies a request for the service level objectives. A stream stays open for hours and reconnects by itself, so it
 * counts towards none. An upload or download has no timing, because it lasts as long as the client's connection needs.
 */
function outcomeOf(
  { header: { upload, success } }: Operation,
  { statusCode, elapsedTime }: FastifyReply,
): 'good' | 'slow' | 'untimed' | 'failed' | undefined {
  if (success.stream) return undefined
  if (statusCode >= 500) return 'failed'
  if (upload || success.file) return 'untimed'
  return elapsedTime > slowMs ? 'slow' : 'good'
}

const slowMs = 500

const outcomes = counter('cell_requests', {
  description:
    'Requests that count towards the objectives, by the cell of their tenant, or `directory` if that is unknown: ' +
    '`failed` with 5xx, `slow` above 0.5 s, `untimed` uploads and downloads, or `good`. Streams do not count',
  labels: ['cell', 'outcome'],
})

/**
 * Addresses that get 429, or 503 because of overload, without a valid identity. Each gets one log line a minute, so
 * that a flood costs little.
 */
class RejectedAddresses {
  readonly #known = new Set<string>()
  #clearedAt = performance.now()

  isKnown({ caller, presented, errorCode, ip }: FastifyRequest, status: number): boolean {
    // Other 503s do not count: one from an identity provider, for example, concerns one person's sign-in.
    const isRejected = status === 429 || errorCode === requestErrors.unavailable.code
    if (!isRejected || caller || presented) return false
    const now = performance.now()
    if (now - this.#clearedAt > windowMs) {
      this.#known.clear()
      this.#clearedAt = now
    }
    const key = `${status} ${networkOf(ip)}`
    if (this.#known.has(key)) return true
    this.#known.add(key)
    return false
  }
}

/** Returns the caller; for a failed sign-in, its source address and claimed identity. */
function identityOf({ caller, presented, ip }: FastifyRequest, status: number): Record<string, string | undefined> {
  if (caller?.kind === 'operator') return { tenant_id: caller.tenantId, user_id: caller.userId }
  if (caller) return { tenant_id: caller.tenantId, client_id: caller.clientId }
  if (status !== 401 && status !== 429) return {}
  return {
    source_address: ip,
    tenant_id: presented?.tenantId,
    client_id: presented?.clientId,
    token_id: presented?.tokenId,
    user_id: presented?.userId,
  }
}

/** Records the requests of integrators. A request without a valid token belongs to no credential and is left out. */
export function recordRequests(app: FastifyInstance, requestLog: RequestLogger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, method } = request
    if (caller?.kind !== 'integrator') return done()
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
    done()
  })
}
