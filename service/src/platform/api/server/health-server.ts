import { fastify } from 'fastify'
import type { Logger } from '../../base/log.ts'
import { type Health, type HealthChecks, serveHealth } from './health.ts'

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

/** State of a process without an API: what it reports, until it drains. */
export class ProcessHealth implements HealthChecks {
  readonly #report: () => Health
  #isDraining = false

  constructor(report: () => Health) {
    this.#report = report
  }

  drain(): void {
    this.#isDraining = true
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  async check(): Promise<Health> {
    return this.#isDraining ? { status: 'draining', checks: {} } : this.#report()
  }
}
