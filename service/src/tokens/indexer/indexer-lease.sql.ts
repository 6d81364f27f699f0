import type pg from 'pg'
import type { Logger } from '../../platform/base/log.ts'

/**
 * Lets one process index a chain for a cell. The lease is a session-level advisory lock, which PostgreSQL releases with
 * the connection and so with the process. It only avoids duplicate work: two processes that index at once still write
 * the right rows, because the cursor is compared before it is moved.
 */
export class IndexerLease {
  readonly #pool: pg.Pool
  readonly #name: string
  readonly #log: Logger
  #connection: pg.PoolClient | undefined

  constructor(pool: pg.Pool, chain: string, log: Logger) {
    this.#pool = pool
    this.#name = `cell.indexer ${chain}`
    this.#log = log
  }

  /**
   * Returns true if this process has the lease. Queries its connection, because a lost connection has lost the lock.
   */
  async acquireOrConfirm(): Promise<boolean> {
    try {
      if (this.#connection) await this.#connection.query('select 1')
      else this.#connection = await this.#acquire()
      return this.#connection !== undefined
    } catch (error) {
      this.release()
      throw error
    }
  }

  release(): void {
    this.#connection?.release(true)
    this.#connection = undefined
  }

  async #acquire(): Promise<pg.PoolClient | undefined> {
    const connection = await this.#pool.connect()
    try {
      const { rows } = await connection.query<{ isAcquired: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isAcquired"',
        [this.#name],
      )
      if (!rows[0]?.isAcquired) {
        connection.release()
        return undefined
      }
      // The next run notices the loss. Without a listener, the error would end the process.
      connection.on('error', (error) =>
        this.#log.warn({ err: error }, 'the connection with the indexer lease was lost'),
      )
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }
}
