import type pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import type { Databases } from '../../db/pools.ts'
import type { RateLimiter } from '../rate-limit/rate-limit.ts'
import type { Health, HealthChecks } from './health.ts'

/**
 * Whether this process can serve. One cell away is `degraded`, not `unavailable`: the tenants of the other cells are
 * served, and a load balancer that dropped the process would make one cell's outage everybody's.
 */
export class Readiness implements HealthChecks {
  readonly #databases: Databases
  readonly #rateLimiter: RateLimiter
  readonly #log: Logger
  #isDraining = false
  #last: { at: number; isOpen: boolean; health: Promise<Health> } | undefined

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

  /** Looked at anew once a second at the most, however often it is asked. */
  async check(): Promise<Health> {
    if (this.#isDraining) return { status: 'draining', checks: {} }
    const now = performance.now()
    const isFresh = this.#last && (this.#last.isOpen || now - this.#last.at < freshMs)
    if (!this.#last || !isFresh) {
      const look = { at: now, isOpen: true, health: this.#look() }
      // One look at a time: a database that hangs must not be asked again and again.
      void look.health.finally(() => {
        look.isOpen = false
      })
      this.#last = look
    }
    return this.#last.health
  }

  async #look(): Promise<Health> {
    const { directory, cells } = this.#databases
    const [directoryState, redis, ...cellStates] = await Promise.all([
      stateOf(directory),
      this.#rateLimiter.state(),
      ...[...cells.values()].map(stateOf),
    ])
    const cellsByName = [...cells.keys()].map((name, index) => [`cell ${name}`, cellStates[index] ?? 'away'] as const)
    const isAnyCellUp = cellStates.includes('ok')
    const migrations = directoryState === 'ok' ? await this.#migrations() : 'unknown'
    const checks = { directory: directoryState, ...Object.fromEntries(cellsByName), redis, migrations }
    if (!isAnyCellUp || migrations === 'behind') return { status: 'unavailable', checks }
    const isWhole =
      directoryState === 'ok' && !cellStates.includes('away') && redis !== 'away' && migrations === 'current'
    return { status: isWhole ? 'ready' : 'degraded', checks }
  }

  async #migrations(): Promise<'current' | 'behind' | 'unknown'> {
    try {
      const pending = await withTimeout(pendingMigrations(this.#databases), answerMs)
      if (pending.length > 0)
        this.#log.error({ migrations: pending }, 'the database is behind this release: run maintain migrate')
      return pending.length > 0 ? 'behind' : 'current'
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot see which migrations have run')
      return 'unknown'
    }
  }
}

const freshMs = 1_000

async function stateOf(pool: pg.Pool): Promise<'ok' | 'away'> {
  try {
    await withTimeout(pool.query('select 1'), answerMs)
    return 'ok'
  } catch {
    return 'away'
  }
}

// A load balancer asks again after a second or two; who does not answer by then is as good as away.
const answerMs = 1_000
