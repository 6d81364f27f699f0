import type pg from 'pg'
import type { Logger } from '../../platform/base/log.ts'

/**
 * The right to read a chain for a cell: a lock that PostgreSQL ends with the connection that holds it, and so with the
 * process. It spares double work and no more: what two would write at once is right all the same, since the cursor is
 * compared before it is moved.
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

  /** Whether it is ours, looked at on the connection itself: one that is lost has lost the lock. */
  async isMine(): Promise<boolean> {
    try {
      if (this.#connection) await this.#connection.query('select 1')
      else this.#connection = await this.#take()
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

  async #take(): Promise<pg.PoolClient | undefined> {
    const connection = await this.#pool.connect()
    try {
      const { rows } = await connection.query<{ taken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
        [this.#name],
      )
      if (!rows[0]?.taken) {
        connection.release()
        return undefined
      }
      // Noticed when it is next looked at; without a listener it would end the process.
      connection.on('error', (error) => this.#log.warn({ err: error }, 'the connection that holds the turn broke'))
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }
}
