import { type Chain, ResponseTooLarge } from '../chain/chain.ts'
import type { IndexedToken } from './indexed-token.sql.ts'
import { type ReadLogs, readLogs } from './read-logs.ts'
import type { ReceiptReads } from './receipt-reads.ts'

export interface LogRange extends ReadLogs {
  readonly from: bigint
  readonly to: bigint
}

// Small, so that the history of a busy token starts with a range that can be applied while the next one is read. It
// takes fifteen ranges to the largest one.
const blocksFirst = 4n
const blocksMax = 100_000n
const logsWanted = 4_000
// A response of 10 MiB, the most that the client reads, has about 17,000 logs.
const logsMax = 10_000

/**
 * Reads the logs of finalized blocks in ranges. Nodes reject ranges that are too large, each with its own limit, so the
 * size of the next range doubles while results are small, and halves after a large result or an error.
 */
export class LogRanges {
  readonly #chain: Chain
  readonly #signal: AbortSignal | undefined
  #blocks = blocksFirst

  constructor(chain: Chain, signal: AbortSignal | undefined) {
    this.#chain = chain
    this.#signal = signal
  }

  /**
   * Yields consecutive ranges. Reads the next one while the caller processes the current one. Leaves a token that is
   * unreadable in one range out of the following ranges.
   */
  async *read(
    tokens: readonly IndexedToken[],
    from: bigint,
    end: bigint,
    receipts?: ReceiptReads,
  ): AsyncGenerator<LogRange> {
    let readable = tokens
    const readFrom = (first: bigint) => this.#readRange(readable, { from: first, end }, receipts)
    let next = from <= end ? readFrom(from) : undefined
    while (next) {
      const range: LogRange = await next
      readable = readable.filter((token) => !range.unreadable.includes(token))
      next = range.to < end ? readFrom(range.to + 1n) : undefined
      // The `await` above handles its rejection, but only after the caller is done with the current range.
      next?.catch(() => undefined)
      yield range
    }
  }

  async #readRange(
    tokens: readonly IndexedToken[],
    { from, end }: { from: bigint; end: bigint },
    receipts?: ReceiptReads,
  ): Promise<LogRange> {
    this.#signal?.throwIfAborted()
    if (tokens.length === 0) return { from, to: end, logs: new Map(), unreadable: [], count: 0 }
    const last = from + this.#blocks - 1n
    const to = last < end ? last : end
    try {
      const read = await readLogs(this.#chain, tokens, { from, to }, receipts)
      this.#adjust(read.count)
      return { from, to, ...read }
    } catch (error) {
      this.#halve()
      // The blocks of this range have more logs than those before it, which is no reason to end the run.
      if (error instanceof ResponseTooLarge && from < to) return this.#readRange(tokens, { from, end }, receipts)
      throw error
    }
  }

  #adjust(logs: number): void {
    if (logs < logsWanted) this.#blocks = this.#blocks * 2n < blocksMax ? this.#blocks * 2n : blocksMax
    else if (logs > logsMax) this.#halve()
  }

  #halve(): void {
    this.#blocks = this.#blocks > 1n ? this.#blocks / 2n : 1n
  }
}
