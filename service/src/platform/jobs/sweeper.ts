import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'

/**
 * Unlocks the jobs of workers that were killed. On its own, the queue would keep such jobs locked for four hours. Each
 * worker therefore takes a session-level advisory lock on its name, which PostgreSQL releases when the process dies.
 * Every worker regularly unlocks jobs whose worker name is not advisory-locked.
 */
export class Sweeper {
  readonly #pool: pg.Pool
  readonly #name: string
  readonly #log: Logger
  #connection: pg.PoolClient | undefined
  #suspects = new Set<string>()
  #sweeping: RunningLoop | undefined

  constructor(pool: pg.Pool, name: string, log: Logger) {
    this.#pool = pool
    this.#name = name
    this.#log = log
  }

  start(): void {
    this.#sweeping = runLoop(sweepMs, () => this.#lockNameAndSweep())
  }

  async stop(): Promise<void> {
    await this.#sweeping?.stop()
    this.#connection?.release(true)
  }

  async #lockNameAndSweep(): Promise<void> {
    try {
      this.#connection ??= await this.#lockName()
      await this.#sweep(this.#connection)
    } catch (error) {
      this.#log.warn({ err: error }, 'checking for jobs of dead workers failed; retrying')
      this.#connection?.release(true)
      this.#connection = undefined
    }
  }

  async #lockName(): Promise<pg.PoolClient> {
    const connection = await this.#pool.connect()
    // The next sweep reconnects. Without a listener, the error would crash the process.
    connection.on('error', (error) => this.#log.warn({ err: error }, 'the connection that locks the worker name broke'))
    try {
      await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [this.#name])
      return connection
    } catch (error) {
      // A broken session of this worker can keep the lock for minutes, so each attempt must release its connection.
      connection.release(true)
      throw error
    }
  }

  async #sweep(connection: pg.PoolClient): Promise<void> {
    const { rows } = await connection.query<{ locked_by: string }>(
      `
      select locked_by
      from (select distinct locked_by from graphile_worker._private_jobs where locked_by is not null) locked
      where locked_by <> $1 and pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))`,
      [this.#name],
    )
    const unlocked = rows.map((row) => row.locked_by)
    // A worker that has just started can fetch a job shortly before it locks its name, and one whose connection broke
    // locks its name again. A worker only counts as dead if its name is unlocked in two consecutive sweeps.
    const dead = unlocked.filter((name) => this.#suspects.has(name))
    this.#suspects = new Set(unlocked)
    if (dead.length === 0) return
    await connection.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
    this.#log.warn({ pools: dead, count: dead.length }, 'unlocked the jobs of dead workers')
  }
}

const sweepMs = 1_000
