import pLimit from 'p-limit'
import type { Address, Hash, Hex } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { Log } from '../chain/log-requests.ts'

/** Small, because receipts of a flooded block are tens of megabytes. */
const concurrency = 2

type Read = readonly Log[] | 'reading' | 'failed'

/**
 * Reads logs of single addresses from the receipts of blocks, in the background: that takes seconds, and the indexer
 * must not wait for one token. Keeps the logs until the token no longer needs them.
 */
export class ReceiptReads {
  readonly #chain: Chain
  readonly #isKept: (log: Log) => boolean
  readonly #limit = pLimit(concurrency)
  readonly #reads = new Map<Address, Map<Hash | bigint, Read>>()

  /** Keeps only logs that satisfy `isKept`: few logs of a flooded block move anything. */
  constructor(chain: Chain, isKept: (log: Log) => boolean) {
    this.#chain = chain
    this.#isKept = isKept
  }

  /** Returns the logs if they have been read. Otherwise starts to read them. */
  logsOf(address: Address, block: Hash | bigint, topics: readonly Hex[]): readonly Log[] | undefined {
    const ofAddress = this.#reads.get(address) ?? new Map<Hash | bigint, Read>()
    this.#reads.set(address, ofAddress)
    const read = ofAddress.get(block)
    if (read !== undefined) return typeof read === 'string' ? undefined : read
    ofAddress.set(block, 'reading')
    void this.#limit(async () => {
      try {
        const logs = await this.#chain.logsOfReceipts([address], block, topics)
        ofAddress.set(block, logs.filter(this.#isKept))
      } catch {
        ofAddress.set(block, 'failed')
      }
    })
    return undefined
  }

  has(address: Address, state: 'reading' | 'failed'): boolean {
    return [...(this.#reads.get(address)?.values() ?? [])].includes(state)
  }

  forget(address: Address): void {
    this.#reads.delete(address)
  }
}
