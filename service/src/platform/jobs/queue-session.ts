import { EventEmitter } from 'node:events'
import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'

/**
 * One connection for all queues of a process and database, for everything that needs a session:
 *
 * - It listens for new jobs. Every second it asks whether a scheduled one is due and notifies all queues, with one
 *   statement for all of them. If the slots of the queues polled, each would cost a statement.
 * - It has a session-level advisory lock on the name of each run of a queue. PostgreSQL releases the locks when the
 *   process dies, so every process regularly unlocks the jobs of names that are not locked. On its own, graphile-worker
 *   would keep the jobs of a killed process locked for four hours.
 */
export class QueueSession {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #names = new Set<string>()
  readonly #locked = new Set<string>()
  readonly #listeners = new Set<EventEmitter>()
  #connection: pg.PoolClient | undefined
  #suspects = new Set<string>()
  #sweeping: RunningLoop | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  start(): void {
    this.#sweeping = runLoop('unlock jobs of dead workers', sweepMs, () => this.#inTurn(true))
  }

  async stop(): Promise<void> {
    await this.#sweeping?.stop()
    await this.#turn
    this.#connection?.release(true)
  }

  /** Locks the name of a run now, and again after each loss of the connection. */
  lockName(name: string): Promise<void> {
    this.#names.add(name)
    return this.#inTurn(false)
  }

  /** Unlocks the name of a run that has ended, and with it all its jobs. */
  unlockName(name: string): Promise<void> {
    this.#names.delete(name)
    return this.#inTurn(false)
  }

  /** Replaces the separate connection on which graphile-worker would listen. */
  listener(): pg.PoolClient {
    const listener = new EventEmitter()
    this.#listeners.add(listener)
    const query = async () => ({ rows: [] })
    const release = () => void this.#listeners.delete(listener)
    return Object.assign(listener, { query, release }) as unknown as pg.PoolClient
  }

  /** Runs one statement at a time: a sweep that began before a name was locked must not run after it. */
  #inTurn(isSweep: boolean): Promise<void> {
    this.#turn = this.#turn.then(() => this.#work(isSweep))
    return this.#turn
  }

  async #work(isSweep: boolean, mayRepeat = this.#connection !== undefined): Promise<void> {
    try {
      this.#connection ??= await this.#connect()
      await this.#lockNames(this.#connection)
      if (isSweep) await this.#sweep(this.#connection)
    } catch (error) {
      this.#log.warn({ err: error }, 'checking for jobs of dead workers failed; retrying')
      // A broken session of this process can keep a lock for minutes, so each attempt must release its connection.
      this.#connection?.release(true)
      this.#connection = undefined
      this.#locked.clear()
      // After two sweeps without its names, others would take over jobs that still run here. Tried once: sweeps repeat
      // it.
      if (mayRepeat) await this.#work(false, false)
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const connection = await this.#pool.connect()
    // The next sweep reconnects. Without a listener, the error would crash the process.
    connection.on('error', (error) => this.#log.warn({ err: error }, 'the connection that locks worker names broke'))
    connection.on('notification', (message) => {
      for (const listener of this.#listeners) listener.emit('notification', message)
    })
    try {
      await connection.query('listen "jobs:insert"; listen "worker:migrate"')
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }

  async #lockNames(connection: pg.PoolClient): Promise<void> {
    for (const name of this.#names)
      if (!this.#locked.has(name)) {
        await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
        this.#locked.add(name)
      }
    for (const name of this.#locked)
      if (!this.#names.has(name)) {
        await connection.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
        this.#locked.delete(name)
      }
  }

  /** Wakes all slots of all queues, as if jobs had been inserted. */
  #announceJobs(): void {
    const message = { channel: 'jobs:insert', payload: '{"count":1000}' }
    for (const listener of this.#listeners) listener.emit('notification', message)
  }

  async #sweep(connection: pg.PoolClient): Promise<void> {
    const { rows } = await connection.query<{ unlocked: string[]; hasDueJobs: boolean }>(
      `
      select array(
        select locked_by
        from (select distinct locked_by from graphile_worker._private_jobs where locked_by is not null) locked
        where locked_by <> all ($1) and pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))
      ) as unlocked,
      exists (select from graphile_worker._private_jobs where is_available and run_at <= now()) as "hasDueJobs"`,
      [[...this.#locked]],
    )
    if (rows[0]?.hasDueJobs) this.#announceJobs()
    const unlocked = rows[0]?.unlocked ?? []
    // A worker that has just started can fetch a job shortly before it locks its name, and one whose connection broke
    // locks its name again. So a worker counts as dead only if its name is unlocked in two consecutive sweeps.
    const dead = unlocked.filter((name) => this.#suspects.has(name))
    this.#suspects = new Set(unlocked)
    if (dead.length === 0) return
    await connection.query(runSupersededAgain, [dead])
    await connection.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
    this.#log.warn({ pools: dead, count: dead.length }, 'unlocked the jobs of dead workers')
  }
}

const sweepMs = 1_000

/**
 * If a job is added under the key of a running one, graphile-worker takes all attempts from the running one. If its
 * worker then dies, it would stay as a failed job and page someone. It runs once more instead, which is harmless. The
 * stored error keeps a job that kills its worker from running again and again.
 */
const runSupersededAgain = `
  update graphile_worker._private_jobs
  set attempts = max_attempts - 1, last_error = 'its worker died after another job was added under its key'
  where locked_by = any ($1::text[]) and attempts >= max_attempts and key is null and last_error is null`
