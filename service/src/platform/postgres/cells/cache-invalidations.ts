import type { Logger } from '../../base/log.ts'
import { type RunningLoop, runLoop } from '../../base/run-loop.ts'
import type { Databases } from '../pools.ts'
import { inTransaction } from '../run-transaction.ts'
import { sql } from '../sql.ts'

/**
 * Tells listeners which tenants and credentials have changed, about a second after the commit. Polls instead of using
 * LISTEN: polling needs no dedicated connection, works through a pooler and after a failover, and costs each process
 * one small query per second, no matter how many credentials it serves.
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
    this.#polling = runLoop('poll cache invalidations', pollMs, () => this.#poll())
  }

  async stop(): Promise<void> {
    await this.#polling?.stop()
  }

  async #poll(): Promise<void> {
    // changed_at is set on write but visible only after the commit, so each poll looks back further than any
    // transaction can last. Seeing an invalidation twice only costs one extra lookup.
    const lookBackSeconds = Math.ceil((Date.now() - this.#lastSuccess) / 1000) + overlapSeconds
    const startedAt = Date.now()
    try {
      const invalidations = await inTransaction(this.#databases.directory, { access: 'read', identity: {} }, (tx) =>
        tx.rows<{ subject: string }>(sql`
          select distinct subject from directory.cache_invalidation
          where changed_at > clock_timestamp() - make_interval(secs => ${lookBackSeconds})`),
      )
      for (const { subject } of invalidations) for (const listener of this.#listeners) listener(subject)
      this.#lastSuccess = startedAt
    } catch (error) {
      // Until polling works again, cached credentials stay valid. The effect is limited: a token lives ten minutes, and
      // no token is issued while the directory is unavailable.
      this.#log.warn({ err: error }, 'polling cache invalidations failed; disabled credentials stay valid for longer')
    }
  }
}

const pollMs = 1_000
const overlapSeconds = 30
