import type { FastifyInstance } from 'fastify'

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
  /** `degraded` still serves; `unavailable` asks to be taken out of the load balancer. */
  status: 'ready' | 'degraded' | 'unavailable' | 'draining'
  checks: Record<string, string>
}

/** For the machinery that runs the process. Not operations: no prefix, no token, no limit. */
export function serveHealth(app: FastifyInstance, health: HealthChecks): void {
  const config = { isHealthCheck: true }
  app.get('/livez', { config }, async () => ({ status: 'alive' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const { status, checks } = await health.check()
    return reply.status(status === 'ready' || status === 'degraded' ? 200 : 503).send({ status, checks })
  })
}
