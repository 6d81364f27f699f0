import type { FastifyInstance, FastifyRequest } from 'fastify'
import { histogram } from '../../base/metric.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { idempotencyKeyOf } from '../pipeline/input.ts'
import { windowMs } from '../rate-limit/bucket.ts'
import { networkOf } from '../rate-limit/network.ts'
import { isHealthCheck } from './health.ts'
import type { RequestLogger } from './logged-request.ts'

/** Writes one log line and one measurement per request, with the path template and never the path or query itself. */
export function observeRequests(app: FastifyInstance): void {
  const rejected = new RejectedAddresses()
  const logsDebug = ['debug', 'trace'].includes(app.log.level)
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.header.id ?? 'none'
    // Probes come every few seconds. While a process drains, their 503 would count as failed requests.
    const isProbe = isHealthCheck(request)
    if (!isProbe) duration.record(reply.elapsedTime / 1000, { operation, status: String(reply.statusCode) })
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
 * Addresses that get 429, or 503 because of overload, without a valid identity. One line a minute reports each, so that
 * a flood costs little.
 */
class RejectedAddresses {
  readonly #known = new Set<string>()
  #clearedAt = performance.now()

  isKnown({ caller, presented, errorCode, ip }: FastifyRequest, status: number): boolean {
    // Not every 503: that of an identity provider, for example, is about one person's sign-in.
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

/** The caller; for a failed sign-in, where it came from and who it claimed to be. */
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
