import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'

/**
 * A worker that is killed leaves its jobs locked, and the queue would wait four hours before it believes that. Here
 * each worker holds an advisory lock on its own name for as long as its connection lives, which PostgreSQL ends with
 * the process; every worker looks regularly for jobs locked by a name that nobody holds, and frees them.
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
    this.#sweeping = runLoop(sweepMs, () => this.#holdNameAndSweep())
  }

  async stop(): Promise<void> {
    await this.#sweeping?.stop()
    this.#connection?.release(true)
  }

  async #holdNameAndSweep(): Promise<void> {
    try {
      this.#connection ??= await this.#holdName()
      await this.#sweep(this.#connection)
    } catch (error) {
      this.#log.warn({ err: error }, 'jobs of dead workers cannot be looked for')
      this.#connection?.release(true)
      this.#connection = undefined
    }
  }

  async #holdName(): Promise<pg.PoolClient> {
    const connection = await this.#pool.connect()
    // Noticed and mended by the next sweep; without a listener it would end the process.
    connection.on('error', (error) => this.#log.warn({ err: error }, 'the connection that holds the worker name broke'))
    try {
      await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [this.#name])
      return connection
    } catch (error) {
      // A session of ours that is half dead may still hold the name for minutes: each try must give its connection
      // back.
      connection.release(true)
      throw error
    }
  }

  async #sweep(connection: pg.PoolClient): Promise<void> {
    const { rows } = await connection.query<{ locked_by: string }>(
      `
      select locked_by
      from (select distinct locked_by from graphile_worker._private_jobs where locked_by is not null) holder
      where locked_by <> $1 and pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))`,
      [this.#name],
    )
    const nameless = rows.map((row) => row.locked_by)
    // A worker that has just started may hold a job a moment before it holds its name, and one whose connection broke
    // takes its name again: only who is nameless twice in a row is dead.
    const dead = nameless.filter((name) => this.#suspects.has(name))
    this.#suspects = new Set(nameless)
    if (dead.length === 0) return
    await connection.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
    this.#log.warn({ pools: dead, count: dead.length }, 'freed the jobs of dead workers')
  }
}

const sweepMs = 1_000
