import type pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { pendingMigrations } from '../../db/pending-migrations.ts'
import type { Databases } from '../../db/pools.ts'
import type { RateLimiter } from '../rate-limit/rate-limit.ts'
import type { Health, HealthChecks } from './health.ts'

/**
 * Whether this process can serve requests. With one cell down it is `degraded`, not `unavailable`: it still serves the
 * tenants of the other cells, and a load balancer that removed it would spread one cell's outage to all tenants.
 */
export class Readiness implements HealthChecks {
  readonly #databases: Databases
  readonly #rateLimiter: RateLimiter
  readonly #log: Logger
  #isDraining = false
  #last: { at: number; isRunning: boolean; health: Promise<Health> } | undefined

  constructor(databases: Databases, rateLimiter: RateLimiter, log: Logger) {
    this.#databases = databases
    this.#rateLimiter = rateLimiter
    this.#log = log
  }

  drain(): void {
    this.#isDraining = true
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  /** Runs the checks at most once a second; calls in between get the last result. */
  async check(): Promise<Health> {
    if (this.#isDraining) return { status: 'draining', checks: {} }
    const now = performance.now()
    const isFresh = this.#last && (this.#last.isRunning || now - this.#last.at < freshMs)
    if (!this.#last || !isFresh) {
      const current = { at: now, isRunning: true, health: this.#runChecks() }
      // One run at a time: a database that hangs must not collect more and more queries.
      void current.health.finally(() => {
        current.isRunning = false
      })
      this.#last = current
    }
    return this.#last.health
  }

  async #runChecks(): Promise<Health> {
    const { directory, cells } = this.#databases
    const [directoryState, redis, ...cellStates] = await Promise.all([
      stateOf(directory),
      this.#rateLimiter.state(),
      ...[...cells.values()].map(stateOf),
    ])
    const cellsByName = [...cells.keys()].map((name, index) => [`cell ${name}`, cellStates[index] ?? 'down'] as const)
    const isAnyCellUp = cellStates.includes('ok')
    const migrations = directoryState === 'ok' ? await this.#migrations() : 'unknown'
    const checks = { directory: directoryState, ...Object.fromEntries(cellsByName), redis, migrations }
    if (!isAnyCellUp || migrations === 'behind') return { status: 'unavailable', checks }
    const isComplete =
      directoryState === 'ok' && !cellStates.includes('down') && redis !== 'down' && migrations === 'current'
    return { status: isComplete ? 'ready' : 'degraded', checks }
  }

  async #migrations(): Promise<'current' | 'behind' | 'unknown'> {
    try {
      const pending = await withTimeout(pendingMigrations(this.#databases), checkTimeoutMs)
      if (pending.length > 0)
        this.#log.error(
          { migrations: pending },
          'this release needs migrations that have not run: run maintain migrate',
        )
      return pending.length > 0 ? 'behind' : 'current'
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot read which migrations have run')
      return 'unknown'
    }
  }
}

const freshMs = 1_000

async function stateOf(pool: pg.Pool): Promise<'ok' | 'down'> {
  try {
    await withTimeout(pool.query('select 1'), checkTimeoutMs)
    return 'ok'
  } catch {
    return 'down'
  }
}

// A load balancer probes again after a second or two, so a slower database counts as down.
const checkTimeoutMs = 1_000
