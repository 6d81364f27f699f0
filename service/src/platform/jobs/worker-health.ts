import type { Health } from '../api/server/health.ts'
import type { Worker } from './worker.ts'

/**
 * Reports whether a process works on its queues. It is `degraded` while some of them wait for their database: the
 * others go on, and another process would do no better.
 */
export function workerHealth(workers: readonly Worker[]): Health {
  const states = workers.map((worker) => [worker.name, worker.isWorking()] as const)
  const checks = Object.fromEntries(states.map(([name, isWorking]) => [name, isWorking ? 'ok' : 'waiting']))
  const working = states.filter(([, isWorking]) => isWorking).length
  if (working === states.length) return { status: 'ready', checks }
  return { status: working > 0 ? 'degraded' : 'unavailable', checks }
}
