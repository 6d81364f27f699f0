import { metrics } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from '../../base/log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isHealthCheck?: boolean
  }
}

export interface HealthChecks {
  isDraining(): boolean
  check(): Promise<Health>
}

export interface Health {
  /** A `degraded` process still serves; the load balancer removes an `unavailable` or `draining` one. */
  status: 'ready' | 'degraded' | 'unavailable' | 'draining'
  checks: Record<string, string>
}

/**
 * Liveness and readiness probes. They are not operations: no prefix, no token, no limit. Anyone can call them, so the
 * response has no names of databases or chains: the log and the metrics have what an operator needs. A process that
 * serves no contract version is ready, because no restart and no other process would help; an empty `versions` shows
 * it.
 */
export function serveHealth(
  app: FastifyInstance,
  health: HealthChecks,
  { log, versions }: { log: Logger; versions?: readonly string[] },
): void {
  const config = { isHealthCheck: true }
  const report = healthReporter(log)
  app.get('/livez', { config }, async () => ({ status: 'alive' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const current = await health.check()
    report(current)
    const isReady = current.status === 'ready' || current.status === 'degraded'
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'not ready', versions })
  })
}

/** Logs each change, and sets a gauge per check. */
function healthReporter(log: Logger): (health: Health) => void {
  const gauge = metrics.getMeter('http').createGauge('readiness_check', {
    description: '1 if this check of /readyz last succeeded, 0 if it failed',
  })
  let reported = ''
  return ({ status, checks }) => {
    // Details after a comma, such as how far an indexer is behind, change all the time and are in the metrics.
    const results = Object.values(checks).map((result) => result.split(',', 1)[0])
    const current = JSON.stringify([status, results])
    if (current === reported) return
    reported = current
    log[status === 'ready' ? 'info' : 'warn']({ readiness: status, checks }, 'readiness changed')
    for (const [check, result] of Object.entries(checks))
      gauge.record(successes.has(result.split(',', 1)[0] ?? '') ? 1 : 0, { check })
  }
}

const successes: ReadonlySet<string> = new Set(['ok', 'current', 'not configured', 'following', 'standby'])

export function isHealthCheck(request: FastifyRequest): boolean {
  return request.routeOptions.config.isHealthCheck === true
}
