import type pg from 'pg'
import type { Logger } from '../../base/log.ts'
import { type RunningLoop, runLoop } from '../../base/run-loop.ts'
import { closeCell } from '../../postgres/cells/closed-cells.ts'
import type { Databases } from '../../postgres/pools.ts'
import { pendingMigrations, responds } from '../../postgres/probes.ts'
import type { RateLimiter } from '../rate-limit/rate-limit.ts'
import type { Health, HealthChecks } from './health.ts'

/**
 * Reports whether this process can serve requests. With one cell down or behind on migrations it is `degraded`, not
 * `unavailable`: it still serves the tenants of the other cells, and a load balancer that removed it would spread one
 * cell's outage to all tenants. It checks in the background, each database on a separate connection. So neither a
 * locked table nor an exhausted pool makes it unready, and a probe gets the last result at once.
 */
export class Readiness implements HealthChecks {
  readonly #databases: Databases
  readonly #rateLimiter: RateLimiter
  readonly #log: Logger
  /** States by the pool that serves the requests of the database. */
  readonly #states = new WeakMap<pg.Pool, DatabaseState>()
  #isDraining = false
  #first: Promise<void> | undefined
  #health: Health = { status: 'unavailable', checks: {} }
  #checking: RunningLoop | undefined

  constructor(databases: Databases, rateLimiter: RateLimiter, log: Logger) {
    this.#databases = databases
    this.#rateLimiter = rateLimiter
    this.#log = log
  }

  start(): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#first = promise
    this.#checking = runLoop('check databases', everyMs, () => this.#refresh().finally(resolve))
  }

  async stop(): Promise<void> {
    await this.#checking?.stop()
  }

  drain(): void {
    this.#isDraining = true
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  /** Returns the result of the last check. Only the first call waits for one. */
  async check(): Promise<Health> {
    if (this.#isDraining) return { status: 'draining', checks: {} }
    this.#first ??= this.#refresh()
    await this.#first
    return this.#health
  }

  async #refresh(): Promise<void> {
    const { directory, cells } = this.#databases
    const pools = new Map<pg.Pool, MigrationSet[]>([[directory, ['directory']]])
    for (const pool of cells.values()) pools.set(pool, [...(pools.get(pool) ?? []), 'cell'])
    const [redis] = await Promise.all([
      this.#rateLimiter.state(),
      ...[...pools].map(([pool, sets]) => this.#checkDatabase(pool, sets)),
    ])
    for (const pool of cells.values()) closeCell(pool, this.#states.get(pool)?.pending.cell?.isBehind ?? false)
    const directoryState = this.#resultOf(directory, 'directory')
    const cellStates = new Map([...cells].map(([name, pool]) => [`cell ${name}`, this.#resultOf(pool, 'cell')]))
    const migrations = this.#migrations(pools)
    const results = [directoryState, ...cellStates.values()]
    // With the directory down, known callers can still be served; with a directory that lacks migrations, no one can.
    const canServe = directoryState !== 'behind' && [...cellStates.values()].includes('ok')
    const isComplete = results.every((one) => one === 'ok') && redis !== 'down' && migrations === 'current'
    const checks = { directory: directoryState, ...Object.fromEntries(cellStates), redis, migrations }
    this.#health = { status: canServe ? (isComplete ? 'ready' : 'degraded') : 'unavailable', checks }
  }

  async #checkDatabase(pool: pg.Pool, sets: readonly MigrationSet[]): Promise<void> {
    const state = this.#states.get(pool) ?? { respondedAt: undefined, pending: {} }
    this.#states.set(pool, state)
    // Connecting takes longer than responding, and a process that has just started has no earlier result.
    if (!(await responds(pool, state.respondedAt === undefined ? connectMsMax : respondMsMax))) return
    state.respondedAt = performance.now()
    for (const set of sets) await this.#readMigrations(pool, set, state)
  }

  async #readMigrations(pool: pg.Pool, set: MigrationSet, { pending }: DatabaseState): Promise<void> {
    const last = pending[set]
    const now = performance.now()
    if (last && !last.isBehind && now - last.readAt < migrationsEveryMs) return
    try {
      const names = await pendingMigrations(pool, set)
      if (names.length > 0 && !last?.isBehind)
        this.#log.error(
          { migrations: names.map((name) => `${set}/${name}`) },
          'this release needs migrations that have not run: run maintain migrate',
        )
      pending[set] = { isBehind: names.length > 0, readAt: now }
    } catch (error) {
      // The last result is still true: migrations only go forward.
      if (last) last.readAt = now
      this.#log.warn({ err: error }, 'cannot read which migrations have run')
    }
  }

  #resultOf(pool: pg.Pool, set: MigrationSet): 'ok' | 'down' | 'behind' {
    const { respondedAt, pending } = this.#states.get(pool) ?? {}
    if (respondedAt === undefined || performance.now() - respondedAt > downAfterMs) return 'down'
    return pending?.[set]?.isBehind ? 'behind' : 'ok'
  }

  #migrations(pools: ReadonlyMap<pg.Pool, readonly MigrationSet[]>): 'current' | 'behind' | 'unknown' {
    const found = [...pools].flatMap(([pool, sets]) => sets.map((set) => this.#states.get(pool)?.pending[set]))
    if (found.some((one) => one?.isBehind)) return 'behind'
    return found.includes(undefined) ? 'unknown' : 'current'
  }
}

interface DatabaseState {
  /** Time of its last response; undefined before the first one. */
  respondedAt: number | undefined
  /** Last result for each set of migrations. */
  readonly pending: Partial<Record<MigrationSet, { readonly isBehind: boolean; readAt: number }>>
}

type MigrationSet = 'directory' | 'cell'

const everyMs = 1_000
// A healthy server responds within milliseconds even when busy, because the check needs no lock and no free connection.
const respondMsMax = 1_000
const connectMsMax = 10_000
/** A planned failover takes less. One missed check must not take a process out of service. */
const downAfterMs = 10_000
const migrationsEveryMs = 10_000
