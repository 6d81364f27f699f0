import type pg from 'pg'
import { type Hash, keccak256, toHex } from 'viem'
import {
  type ApplyContext,
  applyFinalizedLogs,
  finalizeBlocks,
  insertUnfinalizedLogs,
} from '../../../src/tokens/indexer/apply-logs.ts'
import {
  advanceIndexerCursor,
  type IndexerCursor,
  insertIndexerCursor,
  type KnownBlock,
  rewindIndexerCursor,
} from '../../../src/tokens/indexer/cursor.sql.ts'
import type { TokenLog } from '../../../src/tokens/logs/token-log.sql.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { EmittedLog } from './model-token.ts'

const chain = 'anvil'
const beginsAt = Date.UTC(2026, 0, 1)

/** A chain of blocks in memory, whose logs the code of the indexer writes: thousands of them need no node. */
export class ModelChain {
  readonly #pool: pg.Pool
  #cursor: IndexerCursor
  #finalized: KnownBlock
  #unfinalized: KnownBlock[] = []
  #forks = 0

  private constructor(pool: pg.Pool, first: KnownBlock) {
    this.#pool = pool
    this.#finalized = first
    this.#cursor = { chain, head: 0n, headHash: first.hash, finalized: 0n, backfills: 0n }
  }

  static async start(installation: TestInstallation): Promise<ModelChain> {
    const pool = installation.workerPool()
    const hash = keccak256('0x00')
    const first = { number: 0n, hash, parentHash: hash, timestamp: new Date(beginsAt) }
    await insertIndexerCursor(pool, chain, first)
    return new ModelChain(pool, first)
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }

  /** Returns the time of the last finalized block. */
  get finalizedAt(): Date {
    return this.#finalized.timestamp
  }

  get hasUnfinalized(): boolean {
    return this.#unfinalized.length > 0
  }

  /** Mines a block with these logs, which a reorg may remove. */
  async mine(context: ApplyContext, owner: LogsOf, emitted: readonly EmittedLog[]): Promise<TokenLog[]> {
    const block = this.#next()
    const logs = logsIn(block, owner, emitted)
    await insertUnfinalizedLogs(context, { cursor: this.#cursor, tenantId: owner.tenantId, logs })
    await this.#advance(block, this.#cursor.finalized)
    this.#unfinalized.push(block)
    return logs
  }

  /** Mines a block that is finalized when the indexer first reads it. The blocks before it must be finalized. */
  async mineFinalized(context: ApplyContext, owner: LogsOf, emitted: readonly EmittedLog[]): Promise<TokenLog[]> {
    if (this.hasUnfinalized) throw new Error('a block before this one is not finalized')
    const block = this.#next()
    const logs = logsIn(block, owner, emitted)
    await applyFinalizedLogs(context, { cursor: this.#cursor, tenantId: owner.tenantId, logs })
    await this.#advance(block, block.number)
    this.#finalized = block
    return logs
  }

  async finalize(context: ApplyContext, tenantId: string): Promise<void> {
    const last = this.#unfinalized.at(-1)
    if (!last) return
    const finalized = this.#unfinalized.map(({ hash }) => hash)
    await finalizeBlocks(context, { cursor: this.#cursor, tenantId, finalized, orphaned: [] })
    await this.#advance(last, last.number)
    this.#finalized = last
    this.#unfinalized = []
  }

  /** Removes all unfinalized blocks. */
  async reorg(context: ApplyContext, tenantId: string): Promise<void> {
    if (!this.hasUnfinalized) return
    const orphaned = this.#unfinalized.map(({ hash }) => hash)
    if (!(await rewindIndexerCursor(this.#pool, this.#cursor, this.#finalized))) throw new Error('the cursor moved')
    this.#cursor = { ...this.#cursor, head: this.#finalized.number, headHash: this.#finalized.hash }
    await finalizeBlocks(context, { cursor: this.#cursor, tenantId, finalized: [], orphaned })
    this.#unfinalized = []
    this.#forks += 1
  }

  #next(): KnownBlock {
    const number = this.#cursor.head + 1n
    return {
      number,
      hash: keccak256(toHex(`${number} ${this.#forks}`)),
      parentHash: this.#cursor.headHash,
      timestamp: new Date(beginsAt + Number(number) * 60_000),
    }
  }

  async #advance(block: KnownBlock, finalized: bigint): Promise<void> {
    const moved = await advanceIndexerCursor(this.#pool, this.#cursor, block, finalized)
    if (!moved) throw new Error('the cursor moved')
    this.#cursor = moved
  }
}

interface LogsOf {
  readonly tenantId: string
  readonly offeringId: string
  /** The transaction of a chain op; by default one that no op has sent. */
  readonly transactionHash?: Hash
}

function logsIn(
  block: KnownBlock,
  { offeringId, transactionHash }: LogsOf,
  emitted: readonly EmittedLog[],
): TokenLog[] {
  return emitted.map((log, logIndex) => ({
    ...log,
    logIndex,
    offeringId,
    blockHash: block.hash,
    blockNumber: block.number,
    blockTimestamp: block.timestamp,
    transactionHash: transactionHash ?? keccak256(block.hash),
  }))
}
