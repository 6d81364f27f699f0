import {
  type Address,
  BaseError,
  createPublicClient,
  type Hash,
  type Hex,
  http,
  type PublicClient,
  RpcRequestError,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { LoggableError } from '../../platform/base/log.ts'

/** A contract call: the contract's address and the encoded function call. */
export interface Call {
  readonly to: Address
  readonly data: Hex
}

export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: Date
}

/** The node did not respond, or returned an unexpected error. Whether it processed the request is unknown. */
export class ChainUnavailable extends LoggableError {
  override readonly name = 'ChainUnavailable'
}

/** The call would revert. `data` is the contract's ABI-encoded revert reason; see decodeRevertReason. */
export class CallReverted extends LoggableError {
  override readonly name = 'CallReverted'
  readonly data: Hex

  constructor(data: Hex) {
    super('The call would revert.')
    this.data = data
  }
}

// Shorter than the lease on a chain op, so that a frozen node does not block a worker beyond its lease.
const timeoutMs = 3_000

/**
 * One EVM chain through one node. Caches nothing but the chain id: a cached block number would hide a reorg, and only
 * the database allocates nonces.
 */
export class Chain {
  readonly name: string
  readonly #client: PublicClient
  #id: number | undefined

  constructor(name: string, url: string) {
    this.name = name
    this.#client = createPublicClient({
      cacheTime: 0,
      transport: http(url, { retryCount: 0, timeout: timeoutMs }),
    })
  }

  async id(): Promise<number> {
    this.#id ??= await callNode(() => this.#client.getChainId())
    return this.#id
  }

  async head(): Promise<Block> {
    return toBlock(await callNode(() => this.#client.getBlock({ blockTag: 'latest' })))
  }

  async finalized(): Promise<bigint> {
    const { number } = await callNode(() => this.#client.getBlock({ blockTag: 'finalized' }))
    return number
  }

  async block(number: bigint): Promise<Block> {
    return toBlock(await callNode(() => this.#client.getBlock({ blockNumber: number })))
  }

  /** Transactions that this address has in blocks up to the head, or up to the last finalized block. */
  transactionCount(address: Address, until: 'latest' | 'finalized'): Promise<number> {
    return callNode(() => this.#client.getTransactionCount({ address, blockTag: until }))
  }

  /** Native balance in wei, which pays for gas. */
  balance(address: Address): Promise<bigint> {
    return callNode(() => this.#client.getBalance({ address }))
  }

  /** Whether a contract exists at the address, as of the head or of the last finalized block. */
  hasCode(address: Address, at: 'latest' | 'finalized' = 'latest'): Promise<boolean> {
    return callNode(async () => ((await this.#client.getCode({ address, blockTag: at })) ?? '0x') !== '0x')
  }

  /** Executes a read-only call (eth_call). Throws CallReverted with the contract's reason. */
  async read({ to, data: input }: Call, blockNumber?: bigint): Promise<Hex> {
    const { data } = await callNode(() =>
      this.#client.call({ to, data: input, ...(blockNumber === undefined ? {} : { blockNumber }) }),
    )
    return data ?? '0x'
  }

  /** Gas that the call would use now. Throws CallReverted with the contract's reason. */
  estimateGas(from: Address, { to, data }: Call): Promise<bigint> {
    return callNode(() => this.#client.estimateGas({ account: from, to, data }))
  }

  async fees(): Promise<Fees> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await callNode(() => this.#client.estimateFeesPerGas())
    return { maxFeePerGas, maxPriorityFeePerGas }
  }

  /**
   * Sends a signed transaction to the node and ignores the response, which proves nothing: it may be lost, and both
   * "already known" and "nonce too low" also occur when an earlier broadcast succeeded.
   */
  async broadcast(raw: Hex): Promise<void> {
    await callNode(() => this.#client.sendRawTransaction({ serializedTransaction: raw })).catch(() => undefined)
  }

  /** The receipt of a transaction; undefined if it is in no block. */
  receipt(hash: Hash): Promise<TransactionReceipt | undefined> {
    return callNode(async () => {
      try {
        return await this.#client.getTransactionReceipt({ hash })
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      }
    })
  }

  /** The call that a transaction makes; undefined if the node does not know the transaction. */
  transaction(hash: Hash): Promise<Call | undefined> {
    return callNode(async () => {
      try {
        const { to, input } = await this.#client.getTransaction({ hash })
        return to ? { to, data: input } : undefined
      } catch (error) {
        if (error instanceof TransactionNotFoundError) return undefined
        throw error
      }
    })
  }

  /** Logs of these addresses in a range of finalized blocks, or in the one block with this hash. */
  logs(addresses: Address[], where: { from: bigint; to: bigint } | { blockHash: Hash }) {
    if (addresses.length === 0) return Promise.resolve([])
    const range = 'blockHash' in where ? where : { fromBlock: where.from, toBlock: where.to }
    return callNode(() => this.#client.getLogs({ address: addresses, ...range }))
  }
}

function toBlock(found: { number: bigint; hash: Hash; parentHash: Hash; timestamp: bigint }): Block {
  const { number, hash, parentHash, timestamp } = found
  return { number, hash, parentHash, timestamp: new Date(Number(timestamp) * 1000) }
}

// The JSON-RPC error code. Never the error text, which differs between nodes.
const executionReverted = 3

async function callNode<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const rpcError = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError)
    if (rpcError instanceof RpcRequestError && rpcError.code === executionReverted)
      throw new CallReverted(typeof rpcError.data === 'string' ? (rpcError.data as Hex) : '0x')
    throw new ChainUnavailable('The node of the chain does not respond correctly.', { cause: error })
  }
}
