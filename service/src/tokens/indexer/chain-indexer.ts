/**
 * The indexer reads the Transfer, Frozen and OrderMinted logs of all tokens of a cell from one chain.
 *
 * Cursor (`chain_cursor`): `head` is the last block read, `finalized` the last block whose logs are applied. The blocks
 *   from `finalized` to `head` are in `chain_block` with their hashes: the known blocks.
 *
 * States of a log (`token_log`, per tenant):
 *   unfinalized ──block finalized──▶ applied   Before: listed as a `pending` transaction, without effect on balances
 *                                              and orders. After: `confirmed`, in the balance, the order is MINTED.
 *   unfinalized ──block orphaned───▶ deleted   A reorg removed the block; its pending transactions are deleted too.
 *   Logs that are first read from a finalized block are inserted as applied.
 *
 * States of a token (`indexed_token`): backfilling, then backfilled. The backfill reads the history of a token in
 *   ranges up to the cursor; then the token is read block by block with all others. `backfilled_to` is its progress.
 *   A token of which no node returns the logs of one block is set aside: it is backfilling again, from that block on,
 *   and the chain goes on without it. Its backfill reads that block from receipts, in the background. Meanwhile,
 *   `offering.token_read_to` limits the register; if receipts fail too, minting stops and operators are alarmed.
 *
 * One run (`readToHead`; `follow-chain.ts` repeats it every 500 ms):
 *   1. Align    find the highest known block that is still on the chain. If it is below the cursor, there was a reorg:
 *               rewind the cursor to it. If even the finalized block was replaced, throw FinalityViolation: indexing
 *               stops until an operator intervenes.
 *   2. Backfill the tokens that are new, or that were set aside.
 *   3. Read     finalized blocks above the cursor in ranges, and apply their logs.
 *   4. Read     unfinalized blocks one by one, by hash. Each must be the child of the block before it, otherwise there
 *               was a reorg and the next run aligns. Before the first, reopen the transfers of orphaned blocks.
 *   5. Finalize apply the logs of known blocks that are finalized now, delete the logs of unknown blocks, move
 *               `finalized`, and delete the known blocks below it.
 *
 * Concurrency. A lease (`indexer-lease.sql.ts`) lets one process read a chain; the others are on standby. It only saves
 *   work. Correctness comes from compare-and-set: a transaction that writes logs of a tenant takes a shared lock on the
 *   cursor and checks that it has not moved; a cursor move takes the lock exclusively and compares `head`, `finalized`
 *   and the number of completed backfills. A process that was overtaken gets CursorMoved and has written nothing.
 *
 * After a crash:
 *   during a backfill              it resumes after `backfilled_to`; logs that exist are not inserted again.
 *   after logs, before the cursor  the block is read again; if a reorg replaced it meanwhile, step 5 deletes its logs.
 *   during step 5                  each tenant commits separately and marks its logs as applied in the same
 *                                  transaction, so nothing is applied twice; `finalized` moves after the last tenant.
 *   the connection is lost         once PostgreSQL has ended the session, a process on standby takes the lease.
 */
import type pg from 'pg'
import { LoggableError } from '../../platform/base/log.ts'
import type { Block, Chain } from '../chain/chain.ts'
import type { ApplyContext } from './apply-logs.ts'
import { Backfill } from './backfill.ts'
import {
  advanceIndexerCursor,
  CursorMoved,
  findIndexerCursor,
  type IndexerCursor,
  insertIndexerCursor,
  type KnownBlock,
  rewindIndexerCursor,
  selectKnownBlocks,
} from './cursor.sql.ts'
import {
  type IndexedToken,
  resetProgressOfDrafts,
  selectIndexedTokens,
  selectUnappliedBlocks,
} from './indexed-token.sql.ts'
import { LogRanges } from './log-ranges.ts'
import { readLogs } from './read-logs.ts'
import { UnreadableTokens } from './unreadable-tokens.ts'
import { BlockWriter, maxBlock } from './write-blocks.ts'

/** The chain replaced a finalized block. The indexer cannot know which history is right and stops. */
export class FinalityViolation extends LoggableError {
  override readonly name = 'FinalityViolation'
}

export interface Progress {
  readonly head: Block
  /** Time at which the head was read, by `performance.now()`. */
  readonly headReadAt: number
  readonly indexed: { readonly number: bigint; readonly timestamp: Date | undefined }
  /** Number of tokens that are being backfilled. */
  readonly backfilling: number
}

interface Target {
  readonly head: Block
  readonly finalized: bigint
  /** The tokens that were not set aside. */
  tokens: readonly IndexedToken[]
}

export class ChainIndexer {
  readonly #chain: Chain
  readonly #pool: pg.Pool
  readonly #signal: AbortSignal | undefined
  readonly #ranges: LogRanges
  readonly #writer: BlockWriter
  readonly #unreadable: UnreadableTokens
  readonly #backfill: Backfill
  #progress: Progress | undefined
  /** Called after each step: a backfill may take hours. */
  onProgress = () => {}

  /** The pool uses the worker's role, which sees the token addresses of all tenants and no other data of theirs. */
  constructor(chain: Chain, pool: pg.Pool, context: ApplyContext, signal?: AbortSignal) {
    this.#chain = chain
    this.#pool = pool
    this.#signal = signal
    this.#ranges = new LogRanges(chain, signal)
    this.#writer = new BlockWriter(chain.name, pool, context)
    this.#unreadable = new UnreadableTokens(pool, context)
    this.#backfill = new Backfill(chain, pool, {
      ranges: this.#ranges,
      unreadableRanges: new LogRanges(chain, signal),
      writer: this.#writer,
      unreadable: this.#unreadable,
    })
  }

  get progress(): Progress | undefined {
    return this.#progress
  }

  /** Reads up to the current head of the chain. If it throws, everything committed so far is consistent. */
  async readToHead(): Promise<void> {
    // Finality comes first, because it shows whether the nodes disagree; their heads may differ for a moment.
    const lastFinalized = await this.#chain.finalized()
    const head = await this.#chain.head()
    const finalized = smaller(lastFinalized, head.number)
    let cursor = await this.#align(head, finalized)
    await resetProgressOfDrafts(this.#pool, this.#chain.name)
    // The tokens are selected after the head is read: a token that is stored later is deployed in a later block.
    const tokens = await selectIndexedTokens(this.#pool, this.#chain.name)
    cursor = await this.#readHistories(cursor, tokens)
    const target = { head, finalized, tokens: await this.#withHistories(tokens) }
    cursor = await this.#readFinalized(cursor, target)
    cursor = await this.#readUnfinalized(cursor, target)
    await this.#finalize(cursor, finalized)
  }

  #updateProgress(change: Partial<Progress>): void {
    this.onProgress()
    if (this.#progress) this.#progress = { ...this.#progress, ...change }
  }

  /** Returns the cursor at a block that is still on the chain. */
  async #align(head: Block, finalized: bigint): Promise<IndexerCursor> {
    const cursor = await findIndexerCursor(this.#pool, this.#chain.name)
    if (!cursor) {
      await insertIndexerCursor(this.#pool, this.#chain.name, await this.#chain.block(finalized))
      return this.#align(head, finalized)
    }
    const known = await selectKnownBlocks(this.#pool, this.#chain.name)
    // A node that lags behind the cursor does not have the blocks above its head. That is not a reorg.
    for (const block of known.toReversed().filter(({ number }) => number <= head.number)) {
      const onChain = block.number === head.number ? head : await this.#chain.block(block.number)
      if (onChain.hash !== block.hash) continue
      const isNodeBehind = cursor.head > head.number && block.number === head.number
      const headReadAt = performance.now()
      this.#progress = { head, headReadAt, indexed: onChain, backfilling: this.#progress?.backfilling ?? 0 }
      if (block.number === cursor.head || isNodeBehind) return cursor
      if (!(await rewindIndexerCursor(this.#pool, cursor, block))) throw new CursorMoved()
      return { ...cursor, head: block.number, headHash: block.hash }
    }
    if (head.number < cursor.finalized) return cursor
    throw new FinalityViolation(`Block ${cursor.finalized} was finalized, but the chain has replaced it.`)
  }

  /** Backfills new and unreadable tokens up to the cursor, and reports those that remain unreadable. */
  async #readHistories(start: IndexerCursor, tokens: readonly IndexedToken[]): Promise<IndexerCursor> {
    const beat = () => this.onProgress()
    const unreadable = tokens.filter(({ isUnreadable }) => isUnreadable)
    const newTokens = tokens.filter(({ isBackfilled, isUnreadable }) => !isBackfilled && !isUnreadable)
    this.#updateProgress({ backfilling: newTokens.length })
    let cursor = start
    if (unreadable.length > 0) {
      const attempt = await this.#backfill.readUnreadable(cursor, unreadable, beat)
      cursor = attempt.cursor
      const unread = unreadable.filter((token) => !attempt.read.includes(token))
      await this.#unreadable.limit(unread)
      await this.#unreadable.report(unread.filter((one) => one.isOverdue || this.#unreadable.hasFailedAgain(one)))
    }
    if (newTokens.length > 0) cursor = await this.#backfill.readNew(cursor, newTokens, beat)
    this.#updateProgress({ backfilling: 0 })
    return cursor
  }

  /** Returns the tokens that are read block by block from now on. */
  async #withHistories(tokens: readonly IndexedToken[]): Promise<readonly IndexedToken[]> {
    if (tokens.every(({ isBackfilled }) => isBackfilled)) return tokens
    const selected = await selectIndexedTokens(this.#pool, this.#chain.name)
    return selected.filter(({ isBackfilled }) => isBackfilled)
  }

  async #readFinalized(start: IndexerCursor, target: Target): Promise<IndexerCursor> {
    const { finalized } = target
    if (start.head >= finalized) return start
    let cursor = await this.#finalize(start, finalized)
    for await (const range of this.#ranges.read(target.tokens, cursor.head + 1n, finalized)) {
      this.onProgress()
      cursor = await this.#setAside(cursor, target, { unreadable: range.unreadable, readTo: range.from - 1n })
      await this.#writer.applyRange(cursor, range)
      cursor = await this.#advance(cursor, await this.#chain.block(range.to), range.to)
    }
    return cursor
  }

  async #readUnfinalized(start: IndexerCursor, target: Target): Promise<IndexerCursor> {
    const { head } = target
    let cursor = start
    while (cursor.head < head.number) {
      this.#signal?.throwIfAborted()
      const next = cursor.head + 1n
      const block = next === head.number ? head : await this.#chain.block(next)
      if (block.parentHash !== cursor.headHash) throw new CursorMoved('A reorg has replaced the block at the cursor.')
      if (cursor === start) await this.#writer.reopenTransfers(cursor, block)
      const { hash: blockHash, timestamp } = block
      const { logs, unreadable } = await readLogs(this.#chain, target.tokens, { blockHash, timestamp })
      // The unfinalized blocks up to the cursor contain logs of these tokens too, which are applied in time.
      cursor = await this.#setAside(cursor, target, { unreadable, readTo: cursor.finalized })
      await this.#writer.insertUnfinalized(cursor, logs)
      cursor = await this.#advance(cursor, block, cursor.finalized)
    }
    return cursor
  }

  /** Sets tokens aside whose logs no node returns, so that the chain goes on without them. */
  async #setAside(
    cursor: IndexerCursor,
    target: Target,
    { unreadable, readTo }: { unreadable: readonly IndexedToken[]; readTo: bigint },
  ): Promise<IndexerCursor> {
    target.tokens = target.tokens.filter((token) => !unreadable.includes(token))
    return this.#unreadable.setAside(cursor, unreadable, readTo)
  }

  /**
   * Applies the logs of known blocks that are finalized now, and deletes the logs of unknown blocks: a reorg orphaned
   * them, or a process that wrote them stopped before it moved the cursor. Another process may be writing the block
   * right above the cursor now, so that one stays. Known blocks below finality are deleted last.
   */
  async #finalize(cursor: IndexerCursor, finalized: bigint): Promise<IndexerCursor> {
    const { name } = this.#chain
    const reached = smaller(finalized, cursor.head)
    const unapplied = await selectUnappliedBlocks(this.#pool, name, { from: 0n, to: maxBlock })
    const known = await selectKnownBlocks(this.#pool, name)
    const hashes = new Set<string>(known.map(({ hash }) => hash))
    await this.#writer.finalize(cursor, unapplied, (block) => {
      if (block.number > cursor.head) return block.number === cursor.head + 1n ? 'unfinalized' : 'orphaned'
      if (!hashes.has(block.hash)) return 'orphaned'
      return block.number <= reached ? 'finalized' : 'unfinalized'
    })
    if (reached <= cursor.finalized) return cursor
    const block = known.find(({ hash }) => hash === cursor.headHash)
    if (!block) throw new CursorMoved()
    return this.#advance(cursor, block, reached)
  }

  async #advance(cursor: IndexerCursor, to: KnownBlock, finalized: bigint): Promise<IndexerCursor> {
    const moved = await advanceIndexerCursor(this.#pool, cursor, to, finalized)
    if (!moved) throw new CursorMoved()
    this.#updateProgress({ indexed: { number: to.number, timestamp: to.timestamp } })
    return moved
  }
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
