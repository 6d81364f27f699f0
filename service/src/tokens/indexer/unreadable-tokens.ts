import type pg from 'pg'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ApplyContext } from './apply-logs.ts'
import { CursorMoved, type IndexerCursor } from './cursor.sql.ts'
import type { IndexedToken } from './indexed-token.sql.ts'
import { mapLimited } from './map-limited.ts'
import { endUnreadable, limitRegisters, reportUnreadable, setAsideTokens } from './unreadable-token.sql.ts'

// Short at first, for nodes that fail for a moment.
const pauseMsMin = 2_000
const pauseMsMax = 60_000

/** Consecutive failures, and the time of the next attempt. */
interface Attempts {
  readonly failures: number
  readonly nextAt: number
}

/**
 * The tokens of a chain whose logs no node returns. The indexer sets them aside and goes on with the others; their
 * backfill tries again, more and more rarely. Nobody is alarmed about one that receipts can read within seconds.
 */
export class UnreadableTokens {
  readonly #pool: pg.Pool
  readonly #context: ApplyContext
  readonly #attempts = new Map<string, Attempts>()

  constructor(pool: pg.Pool, context: ApplyContext) {
    this.#pool = pool
    this.#context = context
  }

  /** Sets tokens aside. `readTo` is the last block whose logs of these tokens are applied. Returns the new cursor. */
  async setAside(cursor: IndexerCursor, tokens: readonly IndexedToken[], readTo: bigint): Promise<IndexerCursor> {
    if (tokens.length === 0) return cursor
    if (!(await setAsideTokens(this.#pool, cursor, tokens, readTo))) throw new CursorMoved()
    // Runs before the cursor moves on, because the register of a later block is incomplete.
    await this.#limitRegisters(tokens, () => readTo)
    return { ...cursor, backfills: cursor.backfills + 1n }
  }

  isDue({ token }: IndexedToken): boolean {
    return (this.#attempts.get(token)?.nextAt ?? 0) <= performance.now()
  }

  recordFailure({ token }: IndexedToken): void {
    const failures = (this.#attempts.get(token)?.failures ?? 0) + 1
    const pauseMs = Math.min(pauseMsMin * 2 ** (failures - 1), pauseMsMax)
    this.#attempts.set(token, { failures, nextAt: performance.now() + pauseMs })
  }

  /** Ignores a single failure: a node may fail for a moment. */
  hasFailedAgain({ token }: IndexedToken): boolean {
    return (this.#attempts.get(token)?.failures ?? 0) > 1
  }

  /** Repeats the second step of `setAside` for tokens where a crash prevented it. */
  async limit(tokens: readonly IndexedToken[]): Promise<void> {
    const unlimited = tokens.filter(({ isLimited }) => !isLimited)
    await this.#limitRegisters(unlimited, ({ backfilledTo }) => backfilledTo ?? -1n)
  }

  /** Stops minting these tokens and alarms operators, once. */
  async report(tokens: readonly IndexedToken[]): Promise<void> {
    const unreported = tokens.filter(({ isReported }) => !isReported)
    await this.#inTenants(unreported, async (tx, tenantId, ofTenant) => {
      const reported = await reportUnreadable(tx, tenantId, idsOf(ofTenant))
      if (reported.length > 0)
        this.#context.log.error(
          { tenant_id: tenantId, offering_ids: reported },
          'the logs of a token cannot be read: its orders wait, and the chain goes on without it',
        )
    })
  }

  /** Runs before the tokens are read block by block again: after a crash in between, the next backfill repeats it. */
  async end(tokens: readonly IndexedToken[]): Promise<void> {
    for (const { token } of tokens) this.#attempts.delete(token)
    const limited = tokens.filter(({ isLimited }) => isLimited)
    await this.#inTenants(limited, async (tx, tenantId, ofTenant) => {
      const ended = await endUnreadable(tx, tenantId, idsOf(ofTenant))
      if (ended.length > 0)
        this.#context.log.info({ tenant_id: tenantId, offering_ids: ended }, 'the logs of a token can be read again')
    })
  }

  #limitRegisters(tokens: readonly IndexedToken[], readToOf: (token: IndexedToken) => bigint): Promise<void> {
    return this.#inTenants(tokens, (tx, tenantId, ofTenant) =>
      limitRegisters(
        tx,
        tenantId,
        ofTenant.map((token) => ({ offeringId: token.offeringId, readTo: readToOf(token) })),
      ),
    )
  }

  async #inTenants(
    tokens: readonly IndexedToken[],
    work: (tx: Transaction, tenantId: string, ofTenant: readonly IndexedToken[]) => Promise<void>,
  ): Promise<void> {
    await mapLimited([...Map.groupBy(tokens, ({ tenantId }) => tenantId)], ([tenantId, ofTenant]) =>
      inTenantTransaction(this.#context, { tenantId, access: 'write' }, (tx) => work(tx, tenantId, ofTenant)),
    )
  }
}

function idsOf(tokens: readonly IndexedToken[]): string[] {
  return tokens.map(({ offeringId }) => offeringId)
}
