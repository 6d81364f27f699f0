import pLimit from 'p-limit'
import {
  type Address,
  BaseError,
  formatLog,
  type Hash,
  type Hex,
  HttpRequestError,
  numberToHex,
  type PublicClient,
  type RpcLog,
  RpcRequestError,
  type Log as ViemLog,
} from 'viem'
import { ChainUnavailable, ResponseTooLarge } from './node.ts'

export type Log = ViemLog<bigint, number, false>

/** Finalized blocks, or the one block with this hash. */
export type LogBlocks = { from: bigint; to: bigint } | { blockHash: Hash }

interface LogFilter {
  readonly addresses: readonly Address[]
  /** Accepted first topics of a log. Empty for all logs. */
  readonly topics: readonly Hex[]
}

/** Calls eth_getLogs. Unlike viem's own function, does not decode each log. */
export async function requestLogs(
  client: PublicClient,
  { addresses, topics, where }: LogFilter & { where: LogBlocks },
): Promise<Log[]> {
  const blocks = 'blockHash' in where ? where : { fromBlock: numberToHex(where.from), toBlock: numberToHex(where.to) }
  const filter = { address: [...addresses], ...(topics.length > 0 && { topics: [[...topics]] }), ...blocks }
  try {
    const logs = await client.request({ method: 'eth_getLogs', params: [filter] })
    if (topics.length > 0) requireComplete(client, logs.length)
    return logs.map(blockLogOf)
  } catch (error) {
    if (isRefused(error)) throw new ResponseTooLarge('The node rejects this query for logs.', { cause: error })
    throw error
  }
}

/** The most logs that each node has returned. */
const largest = new WeakMap<PublicClient, number>()

/**
 * Throws ResponseTooLarge if logs may be missing. Some nodes return as many as they allow instead of an error. All
 * known limits are multiples of a thousand, and a node that has returned more before has a larger one.
 */
function requireComplete(client: PublicClient, count: number): void {
  const before = largest.get(client) ?? 0
  if (count > before) largest.set(client, count)
  if (count > 0 && count % 1_000 === 0 && count >= before)
    throw new ResponseTooLarge(`The node may have returned only ${count} logs.`)
}

/**
 * Returns true if the node responded with an error. Each limits queries for logs in its own way, by blocks, logs, bytes
 * or time, with its own code and text, so every error may mean that a smaller query succeeds.
 */
function isRefused(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const http = error.walk((cause) => cause instanceof HttpRequestError)
  if (http instanceof HttpRequestError) return http.status === badRequest || http.status === contentTooLarge
  return error.walk((cause) => cause instanceof RpcRequestError) instanceof RpcRequestError
}

const badRequest = 400
const contentTooLarge = 413

function blockLogOf(raw: RpcLog): Log {
  const { blockHash, blockNumber, logIndex, transactionHash, ...log } = formatLog(raw)
  if (blockHash === null || blockNumber === null || logIndex === null || transactionHash === null)
    throw new ChainUnavailable('The node returned a log without a block.')
  return { ...log, blockHash, blockNumber, logIndex, transactionHash } as Log
}

const transactionsMax = 10_000
const receiptsMsMax = 10_000
const callsMax = 16

/** Reads the logs of a block from its receipts: all in one response, or else one by one. */
export async function readLogsOfReceipts(client: PublicClient, blockHash: Hash, filter: LogFilter): Promise<Log[]> {
  const { transactions } = await client.getBlock({ blockHash })
  if (transactions.length > transactionsMax) throw new ResponseTooLarge('The block has too many transactions.')
  const receipts = (await receiptsTogether(client, blockHash, transactions)) ?? receiptsOneByOne(client, transactions)
  const logs: Log[] = []
  for await (const receipt of receipts) {
    if (receipt.blockHash !== blockHash) throw new ChainUnavailable('The node returned a receipt of another block.')
    logs.push(...receipt.logs.filter((log) => isWanted(log, filter)).map(blockLogOf))
  }
  return logs.toSorted((one, other) => one.logIndex - other.logIndex)
}

interface Receipt {
  readonly transactionHash: Hash
  readonly blockHash: Hash
  readonly logs: readonly RpcLog[]
}

/** Returns undefined if the node does not know the method, the response is too large, or receipts are missing. */
async function receiptsTogether(
  client: PublicClient,
  blockHash: Hash,
  transactions: readonly Hash[],
): Promise<readonly Receipt[] | undefined> {
  const call = { method: 'eth_getBlockReceipts', params: [blockHash] }
  const receipts = await (client.request(call as never) as Promise<readonly Receipt[] | null>).catch(() => null)
  const found = new Set(receipts?.map(({ transactionHash }) => transactionHash))
  return receipts && transactions.every((hash) => found.has(hash)) ? receipts : undefined
}

/** Yields receipts in groups, so that their logs are filtered before the next ones arrive. */
async function* receiptsOneByOne(client: PublicClient, transactions: readonly Hash[]): AsyncGenerator<Receipt> {
  const endsAt = performance.now() + receiptsMsMax
  for (let first = 0; first < transactions.length; first += callsMax) {
    if (performance.now() > endsAt) throw new ResponseTooLarge('The receipts of the block take too long to read.')
    yield* await pLimit(callsMax).map(transactions.slice(first, first + callsMax), async (hash) => {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
      if (!receipt) throw new ChainUnavailable('The node does not have a receipt of the block.')
      return receipt
    })
  }
}

function isWanted({ address, topics: [topic] }: RpcLog, { addresses, topics }: LogFilter): boolean {
  const emitter = address.toLowerCase()
  return topic !== undefined && topics.includes(topic) && addresses.some((one) => one.toLowerCase() === emitter)
}
