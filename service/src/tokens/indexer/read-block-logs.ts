import { type Address, type Hash, type Hex, zeroAddress } from 'viem'
import { type Chain, ChainUnavailable, NodesDisagree, WrongChain } from '../chain/chain.ts'
import type { Log } from '../chain/log-requests.ts'
import type { ReceiptReads } from './receipt-reads.ts'

/** The logs of some addresses in one block. */
export interface BlockLogs {
  readonly logs: readonly Log[]
  /** The addresses whose logs the node did not return. */
  readonly unreadable: readonly Address[]
}

export interface BlockQuery {
  readonly where: { readonly from: bigint; readonly to: bigint } | { readonly blockHash: Hash }
  readonly topics: readonly Hex[]
  /** Source of the logs of an address that has too many for one response; undefined to do without. */
  readonly receipts?: ReceiptReads | undefined
}

/**
 * Reads the logs of these addresses in one block. If the node does not return them together, divides the addresses
 * until only the unreadable ones are left. Anyone may emit logs of a token, as many as fit in a block.
 */
export async function readBlockLogs(chain: Chain, addresses: Address[], query: BlockQuery): Promise<BlockLogs> {
  try {
    return { logs: await chain.logs(addresses, query.where, query.topics), unreadable: [] }
  } catch (error) {
    requireDivisible(error)
  }
  await requireReadable(chain, query)
  const [address, ...others] = addresses
  if (address && others.length === 0) return logsOfReceipts(address, query)
  const parts: BlockLogs[] = []
  const size = Math.ceil(addresses.length / partsMax)
  for (let first = 0; first < addresses.length; first += size)
    parts.push(await readBlockLogs(chain, addresses.slice(first, first + size), query))
  return { logs: parts.flatMap(({ logs }) => logs), unreadable: parts.flatMap(({ unreadable }) => unreadable) }
}

/** A response that is too large takes a node longer than several small ones. */
const partsMax = 8

/** Rethrows errors that smaller queries do not fix, such as those of nodes that cannot be trusted. */
function requireDivisible(error: unknown): void {
  if (!(error instanceof ChainUnavailable) || error instanceof WrongChain || error instanceof NodesDisagree) throw error
}

/**
 * Throws unless the node answers the same query for an address without logs. If it does not, the node fails or the
 * block is no longer on the chain, and no address is the cause.
 */
async function requireReadable(chain: Chain, { where, topics }: BlockQuery): Promise<void> {
  await chain.logs([zeroAddress], where, topics)
}

function logsOfReceipts(address: Address, { where, topics, receipts }: BlockQuery): BlockLogs {
  const logs = receipts?.logsOf(address, 'blockHash' in where ? where.blockHash : where.from, topics)
  return logs ? { logs, unreadable: [] } : { logs: [], unreadable: [address] }
}
