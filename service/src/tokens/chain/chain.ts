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
import { OwnError } from '../../platform/base/log.ts'

/** Something to be done on a chain: to whom, and what. */
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

/** The node does not answer, or not with what was asked. Nothing is known of what became of a request. */
export class ChainUnavailable extends OwnError {
  override readonly name = 'ChainUnavailable'
}

/** The chain would refuse the call. It carries what the contract said, to be decoded. */
export class CallReverted extends OwnError {
  override readonly name = 'CallReverted'
  readonly data: Hex

  constructor(data: Hex) {
    super('The call would be reverted.')
    this.data = data
  }
}

// A node that is frozen must not hold a submitter for longer than its lease.
const answerMs = 3_000

/**
 * One EVM chain through one node. Nothing is remembered here: a block number from a cache would make a reorganisation
 * invisible, and numbers of transactions are given by the database alone.
 */
export class Chain {
  readonly name: string
  readonly #client: PublicClient
  #id: number | undefined

  constructor(name: string, url: string) {
    this.name = name
    this.#client = createPublicClient({
      cacheTime: 0,
      transport: http(url, { retryCount: 0, timeout: answerMs }),
    })
  }

  async id(): Promise<number> {
    this.#id ??= await ask(() => this.#client.getChainId())
    return this.#id
  }

  async head(): Promise<Block> {
    return blockOf(await ask(() => this.#client.getBlock({ blockTag: 'latest' })))
  }

  async finalized(): Promise<bigint> {
    const { number } = await ask(() => this.#client.getBlock({ blockTag: 'finalized' }))
    return number
  }

  async block(number: bigint): Promise<Block> {
    return blockOf(await ask(() => this.#client.getBlock({ blockNumber: number })))
  }

  /** How many transactions of this address are in blocks up to the head, or up to the last final block. */
  transactionCount(address: Address, until: 'latest' | 'finalized'): Promise<number> {
    return ask(() => this.#client.getTransactionCount({ address, blockTag: until }))
  }

  /** What an address has to pay gas with, in wei. */
  balance(address: Address): Promise<bigint> {
    return ask(() => this.#client.getBalance({ address }))
  }

  /** Whether there is a contract, at the head or already in the last final block. */
  hasCode(address: Address, at: 'latest' | 'finalized' = 'latest'): Promise<boolean> {
    return ask(async () => ((await this.#client.getCode({ address, blockTag: at })) ?? '0x') !== '0x')
  }

  /** The result of a call that changes nothing; throws CallReverted with the contract's reason. */
  async read({ to, data: input }: Call, blockNumber?: bigint): Promise<Hex> {
    const { data } = await ask(() =>
      this.#client.call({ to, data: input, ...(blockNumber === undefined ? {} : { blockNumber }) }),
    )
    return data ?? '0x'
  }

  /** The gas that a call would take now; throws CallReverted with the contract's reason. */
  estimateGas(from: Address, { to, data }: Call): Promise<bigint> {
    return ask(() => this.#client.estimateGas({ account: from, to, data }))
  }

  async fees(): Promise<Fees> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await ask(() => this.#client.estimateFeesPerGas())
    return { maxFeePerGas, maxPriorityFeePerGas }
  }

  /**
   * Hands a signed transaction to the node. Its answer is only a hint: it may be lost, and "already known" and "nonce
   * too low" are both what happens when a first one was not. So there is none.
   */
  async broadcast(raw: Hex): Promise<void> {
    await ask(() => this.#client.sendRawTransaction({ serializedTransaction: raw })).catch(() => undefined)
  }

  /** Where a transaction is, if it is in a block. */
  receipt(hash: Hash): Promise<TransactionReceipt | undefined> {
    return ask(async () => {
      try {
        return await this.#client.getTransactionReceipt({ hash })
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      }
    })
  }

  /** What a transaction asks for, if the node knows it. */
  transaction(hash: Hash): Promise<Call | undefined> {
    return ask(async () => {
      try {
        const { to, input } = await this.#client.getTransaction({ hash })
        return to ? { to, data: input } : undefined
      } catch (error) {
        if (error instanceof TransactionNotFoundError) return undefined
        throw error
      }
    })
  }

  /** The logs of these addresses in a range of final blocks, or in one block of which the hash says which. */
  logs(addresses: Address[], where: { from: bigint; to: bigint } | { blockHash: Hash }) {
    if (addresses.length === 0) return Promise.resolve([])
    const range = 'blockHash' in where ? where : { fromBlock: where.from, toBlock: where.to }
    return ask(() => this.#client.getLogs({ address: addresses, ...range }))
  }
}

function blockOf({
  number,
  hash,
  parentHash,
  timestamp,
}: {
  number: bigint
  hash: Hash
  parentHash: Hash
  timestamp: bigint
}) {
  return { number, hash, parentHash, timestamp: new Date(Number(timestamp) * 1000) }
}

/** By the code that JSON-RPC has for it, never by the text: nodes word their errors as they like. */
const executionReverted = 3

async function ask<Result>(question: () => Promise<Result>): Promise<Result> {
  try {
    return await question()
  } catch (error) {
    const refused = error instanceof BaseError && error.walk((one) => one instanceof RpcRequestError)
    if (refused instanceof RpcRequestError && refused.code === executionReverted)
      throw new CallReverted(typeof refused.data === 'string' ? (refused.data as Hex) : '0x')
    throw new ChainUnavailable('The node of the chain does not answer as it should.', { cause: error })
  }
}
