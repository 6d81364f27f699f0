import type pg from 'pg'
import { OwnError } from '../../platform/base/log.ts'
import type { Block, Chain } from '../chain/chain.ts'
import { type ApplyContext, settleBlocks, settleLogs, showLogs } from './apply-logs.ts'
import {
  advanceIndexerCursor,
  type Cursor,
  CursorMoved,
  cutCursor,
  findCursor,
  insertCursor,
  type KnownBlock,
  listKnownBlocks,
} from './cursor.sql.ts'
import { inSmallGroups } from './in-small-groups.ts'
import { RangeSize } from './range-size.ts'
import { type LogsOfTenants, readLogs } from './read-logs.ts'
import {
  joinTokens,
  type ListenedToken,
  listPendingBlocks,
  recordReadUntil,
  selectIndexedTokens,
} from './registry.sql.ts'

/** The chain has another past than the one that was final: nothing that we could write would be right. */
export class FinalityBroken extends OwnError {
  override readonly name = 'FinalityBroken'
}

/** Where the chain is, and where we are in it. */
export interface Progress {
  readonly head: Block
  readonly indexed: { readonly number: bigint; readonly timestamp: Date | undefined }
  /** Tokens whose history is still being read. */
  readonly joining: number
}

interface Round {
  readonly head: Block
  readonly finalized: bigint
  readonly tokens: readonly ListenedToken[]
}

interface Range {
  readonly from: bigint
  readonly to: bigint
  readonly logs: LogsOfTenants
}

/**
 * Reads one chain for one cell. Blocks that are final are read in ranges; those that may still vanish one at a time, by
 * their hash, each on the one before it. Whatever is written for a tenant is written while the cursor stays where the
 * work began, and the cursor moves only from there: a second one of these, or one that was killed, changes nothing.
 */
export class ChainIndexer {
  readonly #chain: Chain
  readonly #pool: pg.Pool
  readonly #context: ApplyContext
  readonly #signal: AbortSignal | undefined
  readonly #range = new RangeSize()
  #progress: Progress | undefined

  /** The pool has the worker's role, which sees of all tenants which tokens there are and nothing else. */
  constructor(chain: Chain, pool: pg.Pool, context: ApplyContext, signal?: AbortSignal) {
    this.#chain = chain
    this.#pool = pool
    this.#context = context
    this.#signal = signal
  }

  get progress(): Progress | undefined {
    return this.#progress
  }

  /** Goes up to the head of the chain as it is now. What it throws leaves all that was done before it in order. */
  async readToHead(): Promise<void> {
    const head = await this.#chain.head()
    const finalized = smaller(await this.#chain.finalized(), head.number)
    let cursor = await this.#alignedCursor(head, finalized)
    // After the head is known: whoever's address is written later is deployed in a later block.
    const tokens = await selectIndexedTokens(this.#pool, this.#chain.name)
    const newcomers = tokens.filter(({ hasJoined }) => !hasJoined)
    this.#tell({ joining: newcomers.length })
    if (newcomers.length > 0) cursor = await this.#join(cursor, newcomers)
    this.#tell({ joining: 0 })
    cursor = await this.#readFinal(cursor, { head, finalized, tokens })
    cursor = await this.#readToTip(cursor, { head, finalized, tokens })
    await this.#settle(cursor, finalized)
  }

  #tell(change: Partial<Progress>): void {
    if (this.#progress) this.#progress = { ...this.#progress, ...change }
  }

  /** The cursor, on a block that the chain still has. */
  async #alignedCursor(head: Block, finalized: bigint): Promise<Cursor> {
    const cursor = await findCursor(this.#pool, this.#chain.name)
    if (!cursor) {
      await insertCursor(this.#pool, this.#chain.name, await this.#chain.block(finalized))
      return this.#alignedCursor(head, finalized)
    }
    const known = await listKnownBlocks(this.#pool, this.#chain.name)
    // A node that is behind us says nothing of the blocks above its head: they are waited for.
    for (const block of known.toReversed().filter(({ number }) => number <= head.number)) {
      const there = block.number === head.number ? head : await this.#chain.block(block.number)
      if (there.hash !== block.hash) continue
      const isBehindUs = cursor.head > head.number && block.number === head.number
      this.#progress = { head, indexed: there, joining: this.#progress?.joining ?? 0 }
      if (block.number === cursor.head || isBehindUs) return cursor
      if (!(await cutCursor(this.#pool, cursor, block))) throw new CursorMoved('The cursor of the chain has moved.')
      return { ...cursor, head: block.number, headHash: block.hash }
    }
    if (head.number < cursor.finalized) return cursor
    throw new FinalityBroken(`Block ${cursor.finalized} was final, and the chain has another one in its place.`)
  }

  /**
   * Reads the history of tokens that are new to us, up to the cursor, and lets them join. Most have none: their address
   * is written down before they are deployed. One without code at the head has none in any final block.
   */
  async #join(cursor: Cursor, newcomers: readonly ListenedToken[]): Promise<Cursor> {
    const { name } = this.#chain
    const started = await inSmallGroups(newcomers, async (one) => {
      if (one.readUntil !== null) return one
      const isThere = await this.#chain.hasCode(one.token)
      const readUntil = isThere ? -1n : cursor.finalized
      await recordReadUntil(this.#pool, name, [one], readUntil)
      return { ...one, readUntil }
    })
    const histories = Map.groupBy(started, ({ readUntil }) => readUntil ?? -1n)
    for (const [readUntil, tokens] of histories)
      for await (const range of this.#ranges(tokens, readUntil + 1n, cursor.finalized)) {
        await this.#settleRange(cursor, range)
        await recordReadUntil(this.#pool, name, tokens, range.to)
      }
    for (const block of await listKnownBlocks(this.#pool, name))
      if (block.number > cursor.finalized && block.number <= cursor.head) {
        const { timestamp } = await this.#chain.block(block.number)
        await this.#show(cursor, await readLogs(this.#chain, started, { blockHash: block.hash, timestamp }))
      }
    if (!(await joinTokens(this.#pool, cursor, started))) throw new CursorMoved('The cursor of the chain has moved.')
    return { ...cursor, joined: cursor.joined + 1n }
  }

  /** Up to the last final block, in ranges. */
  async #readFinal(start: Cursor, { finalized, tokens }: Round): Promise<Cursor> {
    if (start.head >= finalized) return start
    let cursor = await this.#settle(start, finalized)
    for await (const range of this.#ranges(tokens, cursor.head + 1n, finalized)) {
      await this.#settleRange(cursor, range)
      cursor = await this.#moved(cursor, await this.#chain.block(range.to), range.to)
    }
    return cursor
  }

  /** What is above finality, each block on the one before. */
  async #readToTip(start: Cursor, { head, tokens }: Round): Promise<Cursor> {
    let cursor = start
    while (cursor.head < head.number) {
      this.#signal?.throwIfAborted()
      const next = cursor.head + 1n
      const block = next === head.number ? head : await this.#chain.block(next)
      if (block.parentHash !== cursor.headHash) throw new CursorMoved('The chain has been reorganised.')
      const { hash: blockHash, timestamp } = block
      await this.#show(cursor, await readLogs(this.#chain, tokens, { blockHash, timestamp }))
      cursor = await this.#moved(cursor, block, cursor.finalized)
    }
    return cursor
  }

  /**
   * Applies what has become final, and removes what is of no block that we know: of a branch that is gone, or left by
   * somebody who was stopped in the middle. The block right above the cursor may be somebody's work under way. Only
   * then are the blocks below finality forgotten.
   */
  async #settle(cursor: Cursor, finalized: bigint): Promise<Cursor> {
    const { name } = this.#chain
    const reached = smaller(finalized, cursor.head)
    const pending = await listPendingBlocks(this.#pool, name, { from: 0n, to: maxBlock })
    const known = await listKnownBlocks(this.#pool, name)
    const hashes = new Set<string>(known.map(({ hash }) => hash))
    await this.#settlePending(cursor, pending, (block) => {
      if (block.number > cursor.head) return block.number === cursor.head + 1n ? 'leave' : 'gone'
      if (!hashes.has(block.hash)) return 'gone'
      return block.number <= reached ? 'final' : 'leave'
    })
    if (reached <= cursor.finalized) return cursor
    const block = known.find(({ hash }) => hash === cursor.headHash)
    if (!block) throw new CursorMoved('The cursor of the chain has moved.')
    return this.#moved(cursor, block, reached)
  }

  /** What was shown of the range is settled as the chain has it now; the rest of its logs were never shown. */
  async #settleRange(cursor: Cursor, range: Range): Promise<void> {
    const { logs } = range
    const hashes = new Set([...logs.values()].flatMap((some) => some.map(({ blockHash }) => String(blockHash))))
    const pending = await listPendingBlocks(this.#pool, this.#chain.name, range)
    await this.#settlePending(cursor, pending, ({ hash }) => (hashes.has(hash) ? 'final' : 'gone'))
    await inSmallGroups([...logs], ([tenantId, some]) => settleLogs(this.#context, { cursor, tenantId, logs: some }))
  }

  async #settlePending(
    cursor: Cursor,
    pending: Awaited<ReturnType<typeof listPendingBlocks>>,
    judge: (block: { number: bigint; hash: string }) => 'final' | 'gone' | 'leave',
  ): Promise<void> {
    const judged = pending.map((block) => ({ ...block, verdict: judge(block) }))
    const tenants = Map.groupBy(
      judged.filter(({ verdict }) => verdict !== 'leave'),
      ({ tenantId }) => tenantId,
    )
    await inSmallGroups([...tenants], ([tenantId, blocks]) => {
      const hashesOf = (wanted: string) => blocks.filter(({ verdict }) => verdict === wanted).map(({ hash }) => hash)
      return settleBlocks(this.#context, { cursor, tenantId, final: hashesOf('final'), gone: hashesOf('gone') })
    })
  }

  async #show(cursor: Cursor, logs: LogsOfTenants): Promise<void> {
    await inSmallGroups([...logs], ([tenantId, some]) => showLogs(this.#context, { cursor, tenantId, logs: some }))
  }

  /** One range after the other; the next is on its way while one is worked on. */
  async *#ranges(tokens: readonly ListenedToken[], from: bigint, end: bigint): AsyncGenerator<Range> {
    let next = from <= end ? this.#readRange(tokens, from, end) : undefined
    while (next) {
      const range: Range = await next
      next = range.to < end ? this.#readRange(tokens, range.to + 1n, end) : undefined
      // Its failure is noticed when its turn comes.
      next?.catch(() => undefined)
      yield range
    }
  }

  /** As many blocks as the node is willing to answer for: where it refuses, the next try asks for half. */
  async #readRange(tokens: readonly ListenedToken[], from: bigint, end: bigint): Promise<Range> {
    this.#signal?.throwIfAborted()
    if (tokens.length === 0) return { from, to: end, logs: new Map() }
    const to = smaller(from + this.#range.blocks - 1n, end)
    try {
      const logs = await readLogs(this.#chain, tokens, { from, to })
      this.#range.answered([...logs.values()].reduce((sum, some) => sum + some.length, 0))
      return { from, to, logs }
    } catch (error) {
      this.#range.refused()
      throw error
    }
  }

  async #moved(cursor: Cursor, to: KnownBlock & { timestamp?: Date }, finalized: bigint): Promise<Cursor> {
    const moved = await advanceIndexerCursor(this.#pool, cursor, to, finalized)
    if (!moved) throw new CursorMoved('The cursor of the chain has moved.')
    if (to.timestamp) this.#tell({ indexed: { number: to.number, timestamp: to.timestamp } })
    return moved
  }
}

const maxBlock = 2n ** 63n - 1n

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
