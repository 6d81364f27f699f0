import type { FastifyInstance, FastifyRequest } from 'fastify'

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
 * Liveness and readiness probes. They are not operations: no prefix, no token, no limit. A process that serves no
 * contract version is ready, because no restart and no other process would help; an empty `versions` shows it.
 */
export function serveHealth(app: FastifyInstance, health: HealthChecks, versions?: readonly string[]): void {
  const config = { isHealthCheck: true }
  app.get('/livez', { config }, async () => ({ status: 'alive' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const { status, checks } = await health.check()
    return reply.status(status === 'ready' || status === 'degraded' ? 200 : 503).send({ status, checks, versions })
  })
}

export function isHealthCheck(request: FastifyRequest): boolean {
  return request.routeOptions.config.isHealthCheck === true
}
