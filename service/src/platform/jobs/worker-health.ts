import type { Health, HealthChecks } from '../api/server/health.ts'
import type { Worker } from './worker.ts'

/**
 * Reports whether this process works on its queues. It is `degraded` while some of them wait for their database: the
 * others go on, and another process would do no better.
 */
export class WorkerHealth implements HealthChecks {
  readonly #workers: () => readonly Worker[]
  #isDraining = false

  constructor(workers: () => readonly Worker[]) {
    this.#workers = workers
  }

  drain(): void {
    this.#isDraining = true
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  async check(): Promise<Health> {
    if (this.#isDraining) return { status: 'draining', checks: {} }
    const states = this.#workers().map((worker) => [worker.name, worker.isWorking()] as const)
    const checks = Object.fromEntries(states.map(([name, isWorking]) => [name, isWorking ? 'ok' : 'waiting']))
    const working = states.filter(([, isWorking]) => isWorking).length
    if (working === states.length) return { status: 'ready', checks }
    return { status: working > 0 ? 'degraded' : 'unavailable', checks }
  }
}
