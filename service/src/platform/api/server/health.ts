import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from '../../base/log.ts'
import { gauge } from '../../base/metric.ts'
import { hungLoops } from '../../base/run-loop.ts'

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

interface HealthOptions {
  readonly log: Logger
  readonly versions?: readonly string[]
  /** Time without a sign of life after which a loop counts as hung, for tests. */
  readonly hungAfterMs?: number
}

/**
 * Liveness and readiness probes. A process is alive unless one of its loops hangs, because then only a restart helps.
 * Probes are not operations: they have no prefix, token or limit. Anyone can call them, so the response contains no
 * names of databases or chains: operators find those in the log and the metrics. A process that serves no contract
 * version is ready, because no restart and no other process would help; an empty `versions` shows it.
 */
export function serveHealth(
  app: FastifyInstance,
  health: HealthChecks,
  { log, versions, hungAfterMs }: HealthOptions,
): void {
  const config = { isHealthCheck: true }
  const report = healthReporter(log)
  // Metrics and log must not depend on who requests /readyz, or how often.
  const reporting = setInterval(() => void health.check().then(report), reportMs).unref()
  app.addHook('onClose', async () => clearInterval(reporting))
  let isHungReported = false
  app.get('/livez', { config }, async (_request, reply) => {
    const hung = hungLoops(hungAfterMs)
    if (hung.length === 0) return { status: 'alive' }
    if (!isHungReported) log.error({ problem: hung.join('; ') }, 'a loop hangs: the process needs a restart')
    isHungReported = true
    return reply.status(503).send({ status: 'hung' })
  })
  app.get('/readyz', { config }, async (_request, reply) => {
    const current = await health.check()
    report(current)
    const isReady = current.status === 'ready' || current.status === 'degraded'
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'not ready', versions })
  })
}

const reportMs = 5_000

/** Logs each change, and sets a gauge per check. */
function healthReporter(log: Logger): (health: Health) => void {
  let reported = ''
  return ({ status, checks }) => {
    // Details after a comma, such as how far an indexer is behind, change all the time; the metrics have them.
    const results = Object.values(checks).map((result) => result.split(',', 1)[0])
    const current = JSON.stringify([status, results])
    if (current === reported) return
    reported = current
    log[status === 'ready' ? 'info' : 'warn']({ readiness: status, checks }, 'readiness changed')
    for (const [check, result] of Object.entries(checks))
      readiness.record(successes.has(result.split(',', 1)[0] ?? '') ? 1 : 0, { check })
  }
}

const readiness = gauge('readiness_check', {
  description: '1 if this check of `/readyz` last succeeded, 0 if it failed',
  labels: ['check'],
})

const successes: ReadonlySet<string> = new Set(['ok', 'current', 'not configured', 'following', 'standby'])

export function isHealthCheck(request: FastifyRequest): boolean {
  return request.routeOptions.config.isHealthCheck === true
}
