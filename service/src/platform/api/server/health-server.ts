import { fastify } from 'fastify'
import type { Logger } from '../../base/log.ts'
import { type HealthChecks, serveHealth } from './health.ts'

/** Serves only `/livez` and `/readyz`, for processes without an API. */
export async function listenForProbes(
  health: HealthChecks,
  { host, port, log }: { host: string; port: number; log: Logger },
): Promise<{ readonly port: number | undefined; close(): Promise<void> }> {
  const app = fastify({ logger: false })
  serveHealth(app, health, { log })
  await app.listen({ host, port }).catch(async (error) => {
    await app.close()
    throw error
  })
  const address = app.server.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    close: async () => {
      await app.close()
    },
  }
}
