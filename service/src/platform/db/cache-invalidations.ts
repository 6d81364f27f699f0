import type { Logger } from '../base/log.ts'
import { type RunningLoop, runLoop } from '../base/run-loop.ts'
import type { Databases } from './pools.ts'
import { sql } from './sql.ts'
import { inTransaction } from './transaction.ts'

/**
 * Tells who listens which tenants and credentials have changed, within about a second of the commit. Polled, not
 * LISTENed: it needs no connection of its own, survives a pooler and a failover, and costs one small query a second for
 * a process, however many credentials it serves.
 */
export class CacheInvalidations {
  readonly #databases: Databases
  readonly #log: Logger
  readonly #listeners: ((subject: string) => void)[] = []
  #polling: RunningLoop | undefined
  #lastSuccess = Date.now()

  constructor(databases: Databases, log: Logger) {
    this.#databases = databases
    this.#log = log
  }

  listen(listener: (subject: string) => void): void {
    this.#listeners.push(listener)
  }

  start(): void {
    this.#polling = runLoop(pollMs, () => this.#poll())
  }

  async stop(): Promise<void> {
    await this.#polling?.stop()
  }

  async #poll(): Promise<void> {
    // Notices are stamped when written and seen when committed, so each poll looks back further than any transaction
    // can last; hearing of a change twice only costs one look-up.
    const lookBackSeconds = Math.ceil((Date.now() - this.#lastSuccess) / 1000) + overlapSeconds
    const startedAt = Date.now()
    try {
      const notices = await inTransaction(this.#databases.directory, { access: 'read', identity: {} }, (tx) =>
        tx.rows<{ subject: string }>(sql`
          select distinct subject from directory.cache_invalidation
          where changed_at > clock_timestamp() - make_interval(secs => ${lookBackSeconds})`),
      )
      for (const { subject } of notices) for (const listener of this.#listeners) listener(subject)
      this.#lastSuccess = startedAt
    } catch (error) {
      // Tokens stay valid on what is remembered. That is bounded: a token lives ten minutes, and no new one is issued
      // while the directory is away.
      this.#log.warn({ err: error }, 'change notices cannot be read; disabled credentials are noticed late')
    }
  }
}

const pollMs = 1_000
const overlapSeconds = 30
