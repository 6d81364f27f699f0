import type pg from 'pg'
import type { Address } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { CursorMoved, type IndexerCursor, selectKnownBlocks } from './cursor.sql.ts'
import { completeBackfill, type IndexedToken, recordBackfillProgress } from './indexed-token.sql.ts'
import type { LogRanges } from './log-ranges.ts'
import { mapLimited } from './map-limited.ts'
import { movesNothing, readLogs } from './read-logs.ts'
import { ReceiptReads } from './receipt-reads.ts'
import type { UnreadableTokens } from './unreadable-tokens.ts'
import type { BlockWriter } from './write-blocks.ts'

/** Longest time per run for all unreadable tokens together: all other tokens of the chain wait meanwhile. */
const attemptsMsMax = 3_000

type Started = IndexedToken & { readonly backfilledTo: bigint }

interface Parts {
  readonly ranges: LogRanges
  /** Kept apart, because the size of these ranges shrinks to one block. */
  readonly unreadableRanges: LogRanges
  readonly writer: BlockWriter
  readonly unreadable: UnreadableTokens
}

/** Reads the history, up to the cursor, of new tokens and of those that could not be read before. */
export class Backfill {
  readonly #chain: Chain
  readonly #pool: pg.Pool
  readonly #parts: Parts
  readonly #receipts: ReceiptReads

  constructor(chain: Chain, pool: pg.Pool, parts: Parts) {
    this.#chain = chain
    this.#pool = pool
    this.#parts = parts
    this.#receipts = new ReceiptReads(chain, (log) => !movesNothing(log))
  }

  /**
   * Reads the history of new tokens. Most have none, because the service stores an address before it deploys the token:
   * an address without code at the head has no logs in any finalized block.
   */
  async readNew(start: IndexerCursor, newTokens: readonly IndexedToken[], beat: () => void): Promise<IndexerCursor> {
    const { name } = this.#chain
    const { ranges, writer } = this.#parts
    let cursor = start
    const started = await mapLimited(newTokens, async (token): Promise<Started> => {
      if (token.backfilledTo !== null) return { ...token, backfilledTo: token.backfilledTo }
      const backfilledTo = (await this.#chain.hasCode(token.token)) ? -1n : cursor.finalized
      await recordBackfillProgress(this.#pool, name, [token], backfilledTo)
      return { ...token, backfilledTo }
    })
    let readable = started
    for (const [backfilledTo, tokens] of Map.groupBy(started, (token) => token.backfilledTo))
      for await (const range of ranges.read(tokens, backfilledTo + 1n, cursor.finalized)) {
        beat()
        cursor = await this.#parts.unreadable.setAside(cursor, range.unreadable, range.from - 1n)
        readable = readable.filter((token) => !range.unreadable.includes(token))
        await writer.applyRange(cursor, range)
        await recordBackfillProgress(
          this.#pool,
          name,
          tokens.filter((token) => readable.includes(token)),
          range.to,
        )
      }
    const unread = await this.#readUnfinalized(cursor, readable)
    cursor = await this.#parts.unreadable.setAside(cursor, unread, cursor.finalized)
    return this.#complete(
      cursor,
      readable.filter((token) => !unread.includes(token)),
    )
  }

  /** Tries the due tokens one by one. Returns those whose backfill is complete. */
  async readUnreadable(
    start: IndexerCursor,
    tokens: readonly IndexedToken[],
    beat: () => void,
  ): Promise<{ cursor: IndexerCursor; read: readonly IndexedToken[] }> {
    const { unreadable } = this.#parts
    const endsAt = performance.now() + attemptsMsMax
    const read: IndexedToken[] = []
    let cursor = start
    for (const token of tokens.filter((one) => unreadable.isDue(one) && !this.#has(one, 'reading'))) {
      if (performance.now() > endsAt) break
      const isRead = await this.#readHistory(cursor, token, { endsAt, beat })
      const hasFailed = this.#has(token, 'failed')
      if (isRead || hasFailed) for (const address of addressesOf(token)) this.#receipts.forget(address)
      if (hasFailed) unreadable.recordFailure(token)
      if (!isRead) continue
      cursor = await this.#complete(cursor, [token])
      read.push(token)
    }
    return { cursor, read }
  }

  #has(token: IndexedToken, state: 'reading' | 'failed'): boolean {
    return addressesOf(token).some((address) => this.#receipts.has(address, state))
  }

  /** Returns false if a block cannot be read yet or the time is over: the next attempt goes on from there. */
  async #readHistory(
    cursor: IndexerCursor,
    token: IndexedToken,
    { endsAt, beat }: { endsAt: number; beat: () => void },
  ): Promise<boolean> {
    const from = (token.backfilledTo ?? -1n) + 1n
    for await (const range of this.#parts.unreadableRanges.read([token], from, cursor.finalized, this.#receipts)) {
      beat()
      if (range.unreadable.length > 0) return false
      await this.#parts.writer.applyRange(cursor, range)
      await recordBackfillProgress(this.#pool, this.#chain.name, [token], range.to)
      if (performance.now() > endsAt && range.to < cursor.finalized) return false
    }
    return (await this.#readUnfinalized(cursor, [token], this.#receipts)).length === 0
  }

  /** Inserts unfinalized logs. Returns the unreadable tokens, whose logs it inserts only up to the unreadable block. */
  async #readUnfinalized(
    cursor: IndexerCursor,
    tokens: readonly IndexedToken[],
    receipts?: ReceiptReads,
  ): Promise<IndexedToken[]> {
    const unread: IndexedToken[] = []
    for (const block of await selectKnownBlocks(this.#pool, this.#chain.name))
      if (block.number > cursor.finalized && block.number <= cursor.head) {
        const { timestamp } = await this.#chain.block(block.number)
        const readable = tokens.filter((token) => !unread.includes(token))
        const { logs, unreadable } = await readLogs(
          this.#chain,
          readable,
          { blockHash: block.hash, timestamp },
          receipts,
        )
        await this.#parts.writer.insertUnfinalized(cursor, logs)
        unread.push(...unreadable)
      }
    return unread
  }

  async #complete(cursor: IndexerCursor, tokens: readonly IndexedToken[]): Promise<IndexerCursor> {
    if (tokens.length === 0) return cursor
    await this.#parts.unreadable.end(tokens)
    if (!(await completeBackfill(this.#pool, cursor, tokens))) throw new CursorMoved()
    return { ...cursor, backfills: cursor.backfills + 1n }
  }
}

function addressesOf({ token, desk }: IndexedToken): Address[] {
  return desk ? [token, desk] : [token]
}
