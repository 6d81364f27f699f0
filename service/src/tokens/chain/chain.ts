import pLimit from 'p-limit'
import {
  type Address,
  type Hash,
  type Hex,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Logger } from '../../platform/base/log.ts'
import { type Log, type LogBlocks, readLogsOfReceipts, requestLogs } from './log-requests.ts'
import { type Block, ChainUnavailable, Node, type Nodes } from './node.ts'
import { NodeQuorum } from './quorum.ts'

export { type Block, CallReverted, ChainUnavailable, NodesDisagree, ResponseTooLarge, WrongChain } from './node.ts'

/** A contract call: the contract's address and the encoded function call. */
export interface Call {
  readonly to: Address
  readonly data: Hex
}

/** A transaction as a block contains it. */
export interface SentTransaction {
  readonly hash: Hash
  readonly nonce: number
  /** Null if it deploys a contract. */
  readonly to: Address | null
  readonly data: Hex
}

export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Fees that a transaction needs to be in one of the next blocks. */
export interface CurrentFees extends Fees {
  readonly baseFeePerGas: bigint
}

/**
 * One EVM chain, read through one node or through several, of which more than half must agree. Caches no block: a
 * cached block number would hide a reorg, and only the database allocates nonces.
 */
export class Chain {
  readonly name: string
  readonly #nodes: Nodes

  /** Rejects nodes with another chain id than the given one. With several URLs, the logger reports their states. */
  constructor(name: string, url: string)
  constructor(name: string, urls: readonly string[], chainId: number | undefined, log: Logger, timeoutMs?: number)
  constructor(name: string, urls: string | readonly string[], chainId?: number, log?: Logger, timeoutMs?: number) {
    this.name = name
    const nodes = [urls].flat().map((url) => new Node(name, url, chainId, timeoutMs))
    const [first] = nodes
    if (!first) throw new Error('a chain needs a node')
    this.#nodes = log && nodes.length > 1 ? new NodeQuorum(name, nodes, log) : first
  }

  /** Queries the chain id of a node every time it is called: call it before each signature. */
  id(): Promise<number> {
    return this.#nodes.chainId()
  }

  /** Throws WrongChain if the node belongs to another chain, and NodesDisagree if several nodes disagree. */
  check(): Promise<void> {
    return this.#nodes.check()
  }

  head(): Promise<Block> {
    return this.#nodes.block('latest')
  }

  async finalized(): Promise<bigint> {
    const { number } = await this.#nodes.block('finalized')
    return number
  }

  block(number: bigint): Promise<Block> {
    return this.#nodes.block(number)
  }

  /**
   * Counts the transactions of this address up to the last finalized block, up to the head, or including pending ones.
   */
  transactionCount(address: Address, until: 'latest' | 'finalized' | 'pending'): Promise<number> {
    return this.#nodes.call((client) => client.getTransactionCount({ address, blockTag: until }))
  }

  /**
   * Counts the transactions of this address up to a block. Nodes other than archives throw for all but recent blocks.
   */
  transactionCountAt(address: Address, blockNumber: bigint): Promise<number> {
    return this.#nodes.call((client) => client.getTransactionCount({ address, blockNumber }))
  }

  /** Returns the transactions of an address in a block. */
  transactionsFrom(address: Address, blockNumber: bigint): Promise<SentTransaction[]> {
    return this.#nodes.call(async (client) => {
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
      return transactions
        .filter(({ from }) => from.toLowerCase() === address.toLowerCase())
        .map(({ hash, nonce, to, input }) => ({ hash, nonce, to, data: input }))
    })
  }

  /** Native balance in wei, which pays for gas. */
  balance(address: Address): Promise<bigint> {
    return this.#nodes.call((client) => client.getBalance({ address }))
  }

  /** Returns true if a contract exists at the address: in a finalized block, at the head, or including pending ones. */
  hasCode(address: Address, at: 'pending' | 'latest' | 'finalized' = 'latest'): Promise<boolean> {
    return this.#nodes.call(async (client) => ((await client.getCode({ address, blockTag: at })) ?? '0x') !== '0x')
  }

  /** Executes a read-only call (eth_call), with at most this gas. Throws CallReverted with the contract's reason. */
  read({ to, data, gas }: Call & { gas?: bigint }, blockNumber?: bigint): Promise<Hex> {
    const call = { to, data, ...(gas === undefined ? {} : { gas }) }
    if (blockNumber === undefined) return this.#nodes.call(async (client) => (await client.call(call)).data ?? '0x')
    return this.#nodes.callEqual(async (client) => (await client.call({ ...call, blockNumber })).data ?? '0x')
  }

  /** Estimates the gas that the call would use now. Throws CallReverted with the contract's reason. */
  estimateGas(from: Address, { to, data }: Call): Promise<bigint> {
    return this.#nodes.call((client) => client.estimateGas({ account: from, to, data }))
  }

  fees(): Promise<CurrentFees> {
    return this.#nodes.call(async (client) => {
      const { baseFeePerGas } = await client.getBlock({ blockTag: 'latest' })
      if (baseFeePerGas === null) throw new ChainUnavailable('The blocks of the chain have no base fee (EIP-1559).')
      const maxPriorityFeePerGas = await client.estimateMaxPriorityFeePerGas()
      // The margin is a fifth, because the base fee rises by up to an eighth from block to block.
      return { baseFeePerGas, maxFeePerGas: (baseFeePerGas * 6n) / 5n + maxPriorityFeePerGas, maxPriorityFeePerGas }
    })
  }

  /**
   * Sends a signed transaction to all nodes and ignores the responses, which prove nothing: they may be lost, and both
   * "already known" and "nonce too low" also occur when an earlier broadcast succeeded.
   */
  broadcast(raw: Hex): Promise<void> {
    return this.#nodes.callAll((client) => client.sendRawTransaction({ serializedTransaction: raw }))
  }

  /** Returns the receipt of a transaction, or undefined if it is in no block. */
  receipt(hash: Hash): Promise<TransactionReceipt | undefined> {
    return this.#nodes.call(async (client) => {
      try {
        const receipt = await client.getTransactionReceipt({ hash })
        await this.#nodes.requireBlock({ number: receipt.blockNumber, hash: receipt.blockHash })
        return receipt
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      }
    })
  }

  /** Returns the call that a transaction makes, or undefined if the node does not know the transaction. */
  transaction(hash: Hash): Promise<Call | undefined> {
    return this.#nodes.call(async (client) => {
      try {
        const { to, input } = await client.getTransaction({ hash })
        return to ? { to, data: input } : undefined
      } catch (error) {
        if (error instanceof TransactionNotFoundError) return undefined
        throw error
      }
    })
  }

  /**
   * Returns the logs of these addresses in a range of finalized blocks, or in the one block with this hash. If topics
   * are given, returns only logs whose first topic is among them. Throws ResponseTooLarge if fewer blocks or addresses
   * may succeed.
   */
  logs(addresses: Address[], where: LogBlocks, topics: readonly Hex[] = []): Promise<Log[]> {
    if (addresses.length === 0) return Promise.resolve([])
    return this.#nodes.call(async (client) => {
      const logs = await requestLogs(client, { addresses, where, topics })
      const blocks = new Map(logs.map((log) => [log.blockHash, { number: log.blockNumber, hash: log.blockHash }]))
      await pLimit(callsMax).map(blocks.values(), (block) => this.#nodes.requireBlock(block))
      return logs
    })
  }

  /**
   * Returns the logs of one block from the receipts of its transactions: for addresses with too many for one response.
   */
  async logsOfReceipts(addresses: Address[], block: bigint | Hash, topics: readonly Hex[]): Promise<Log[]> {
    const hash = typeof block === 'bigint' ? (await this.block(block)).hash : block
    return this.#nodes.call((_, client) => readLogsOfReceipts(client, hash, { addresses, topics }))
  }
}

/** Concurrent calls that compare blocks. */
const callsMax = 10
