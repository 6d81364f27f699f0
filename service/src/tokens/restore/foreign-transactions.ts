import type { Address } from 'viem'
import type { Chain, SentTransaction } from '../chain/chain.ts'
import { functionNameOf } from '../chain/contracts.ts'

/** Maximum number of blocks to read. Finding each takes about 20 calls. Beyond it, only the number is shown. */
const blocksMax = 100

/**
 * Finds the transactions of a signer after a block, by bisecting the range on its transaction count. Returns undefined
 * if the node no longer has the state of the first block.
 */
export async function transactionsSince(
  chain: Chain,
  address: Address,
  after: bigint,
): Promise<{ transactions: SentTransaction[]; isComplete: boolean } | undefined> {
  const { number: head } = await chain.head()
  const transactions: SentTransaction[] = []
  let blocks = 0
  const search = async (from: Counted, to: Counted): Promise<void> => {
    if (from.count === to.count || blocks >= blocksMax) return
    if (to.block - from.block === 1n) {
      blocks += 1
      transactions.push(...(await chain.transactionsFrom(address, to.block)))
      return
    }
    const middle = await countedAt((from.block + to.block) / 2n)
    await search(from, middle)
    await search(middle, to)
  }
  const countedAt = async (block: bigint) => ({ block, count: await chain.transactionCountAt(address, block) })
  try {
    const [from, to] = [await countedAt(after), await countedAt(head)]
    if (after < head) await search(from, to)
    return { transactions, isComplete: transactions.length === to.count - from.count }
  } catch {
    // A pruned node has only the state of the last blocks. If it is down instead, the next step notices.
    return undefined
  }
}

interface Counted {
  readonly block: bigint
  readonly count: number
}

/** Formats one line for the operator, such as `nonce 7: burn, 0x…`. */
export function describeTransaction({ nonce, hash, to, data }: SentTransaction): string {
  const called = functionNameOf(data) ?? (data === '0x' ? 'an empty transaction' : 'an unknown call')
  return `nonce ${nonce}: ${called}${to ? ` of ${to}` : ''}, transaction ${hash}`
}
