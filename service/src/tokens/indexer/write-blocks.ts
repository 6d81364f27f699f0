import type pg from 'pg'
import {
  type ApplyContext,
  applyFinalizedLogs,
  finalizeBlocks,
  insertUnfinalizedLogs,
  reopenOrphanedTransfers,
} from './apply-logs.ts'
import type { IndexerCursor } from './cursor.sql.ts'
import { selectUnappliedBlocks, type UnappliedBlock } from './indexed-token.sql.ts'
import type { LogRange } from './log-ranges.ts'
import { mapLimited } from './map-limited.ts'
import type { LogsByTenant } from './read-logs.ts'

export const maxBlock = 2n ** 63n - 1n

/** Writes the logs of a chain's blocks, each tenant's in its own transaction. */
export class BlockWriter {
  readonly #chain: string
  readonly #pool: pg.Pool
  readonly #context: ApplyContext

  constructor(chain: string, pool: pg.Pool, context: ApplyContext) {
    this.#chain = chain
    this.#pool = pool
    this.#context = context
  }

  /** Applies the logs of a finalized range. Unapplied logs of blocks that are not in the result are orphaned. */
  async applyRange(cursor: IndexerCursor, range: LogRange): Promise<void> {
    const { logs } = range
    const hashes = new Set([...logs.values()].flatMap((ofTenant) => ofTenant.map(({ blockHash }) => String(blockHash))))
    const unapplied = await selectUnappliedBlocks(this.#pool, this.#chain, range)
    await this.finalize(cursor, unapplied, ({ hash }) => (hashes.has(hash) ? 'finalized' : 'orphaned'))
    await mapLimited([...logs], ([tenantId, ofTenant]) =>
      applyFinalizedLogs(this.#context, { cursor, tenantId, logs: ofTenant }),
    )
  }

  /** Applies the logs of finalized blocks among these, and deletes those of orphaned ones. */
  async finalize(
    cursor: IndexerCursor,
    unapplied: readonly UnappliedBlock[],
    stateOf: (block: UnappliedBlock) => 'finalized' | 'orphaned' | 'unfinalized',
  ): Promise<void> {
    const blocks = unapplied.map((block) => ({ ...block, state: stateOf(block) }))
    const byTenant = Map.groupBy(
      blocks.filter(({ state }) => state !== 'unfinalized'),
      ({ tenantId }) => tenantId,
    )
    await mapLimited([...byTenant], ([tenantId, ofTenant]) => {
      const hashesOf = (wanted: string) => ofTenant.filter(({ state }) => state === wanted).map(({ hash }) => hash)
      const [finalized, orphaned] = [hashesOf('finalized'), hashesOf('orphaned')]
      return finalizeBlocks(this.#context, { cursor, tenantId, finalized, orphaned })
    })
  }

  async insertUnfinalized(cursor: IndexerCursor, logs: LogsByTenant): Promise<void> {
    await mapLimited([...logs], ([tenantId, ofTenant]) =>
      insertUnfinalizedLogs(this.#context, { cursor, tenantId, logs: ofTenant }),
    )
  }

  /**
   * Reopens transfers before the first block of another branch is read: a request that an orphaned block fulfilled must
   * be READY again for a block of this branch. Deletes no logs: another process, with another node, may be writing one
   * of these blocks right above the cursor now.
   */
  async reopenTransfers(cursor: IndexerCursor, next: { number: bigint; hash: string }): Promise<void> {
    const unapplied = await selectUnappliedBlocks(this.#pool, this.#chain, { from: next.number, to: maxBlock })
    const orphaned = unapplied.filter(({ hash }) => hash !== next.hash)
    await mapLimited([...Map.groupBy(orphaned, ({ tenantId }) => tenantId)], ([tenantId, blocks]) =>
      reopenOrphanedTransfers(this.#context, { cursor, tenantId, orphaned: blocks.map(({ hash }) => hash) }),
    )
  }
}
