import {
  BaseError,
  createPublicClient,
  type Hash,
  type Hex,
  type HttpTransportConfig,
  http,
  type PublicClient,
  ResponseBodyTooLargeError,
  RpcRequestError,
  type Transport,
} from 'viem'
import { LoggableError } from '../../platform/base/log.ts'
import { counter, histogram } from '../../platform/base/metric.ts'

export interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: Date
}

/** A node did not respond, or returned an unexpected error. It may or may not have processed the request. */
export class ChainUnavailable extends LoggableError {
  override readonly name: string = 'ChainUnavailable'
}

/** The response is larger than the client reads or the node returns. A smaller request may succeed. */
export class ResponseTooLarge extends ChainUnavailable {
  override readonly name = 'ResponseTooLarge'
}

/** The node belongs to a chain other than the configured one. Nothing is read from it and nothing is signed for it. */
export class WrongChain extends ChainUnavailable {
  override readonly name = 'WrongChain'
}

/** The nodes of a chain disagree on what is finalized, and no majority decides. */
export class NodesDisagree extends ChainUnavailable {
  override readonly name = 'NodesDisagree'
  readonly chain: string

  constructor(chain: string, message: string) {
    super(message)
    this.chain = chain
  }
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

/** The second client waits longer and reads larger responses: only for data that cannot be divided. */
export type NodeCall<Result> = (client: PublicClient, patient: PublicClient) => Promise<Result>
export type BlockPosition = 'latest' | 'finalized' | bigint

/** One node of a chain, or several that count as one (quorum.ts). */
export interface Nodes {
  /** Calls a node that can be trusted. */
  call<Result>(run: NodeCall<Result>): Promise<Result>
  /** Runs a call that has the same result on every node. */
  callEqual(run: NodeCall<Hex>): Promise<Hex>
  /** Calls every node. Ignores the results. */
  callAll(run: NodeCall<unknown>): Promise<void>
  block(position: BlockPosition): Promise<Block>
  /** Throws ChainUnavailable if the block with this number has another hash. */
  requireBlock(block: { number: bigint; hash: Hash }): Promise<void>
  /** Queries the chain id, every time. Throws WrongChain if it is not the one of the settings. */
  chainId(): Promise<number>
  /** Throws WrongChain if a node belongs to another chain, and NodesDisagree if several disagree. */
  check(): Promise<void>
}

// Shorter than the lease on a chain op, so that a frozen node does not block a worker beyond its lease.
const defaultTimeoutMs = 3_000

// The logs of a transaction with 300 million gas, more than most blocks may use.
const patientBytesMax = 64 * 2 ** 20
const patientTimeoutMs = 10_000

export class Node implements Nodes {
  readonly #client: PublicClient
  readonly #patient: PublicClient
  readonly #chain: string
  readonly #expectedId: number | undefined
  #isChecked: boolean

  /** If no chain id is expected, the node's own is accepted. */
  constructor(chain: string, url: string, expectedId: number | undefined, timeoutMs = defaultTimeoutMs) {
    this.#chain = chain
    this.#expectedId = expectedId
    this.#isChecked = expectedId === undefined
    const clientWith = (options: HttpTransportConfig) =>
      createPublicClient({ cacheTime: 0, transport: measured(chain, http(url, { retryCount: 0, ...options })) })
    this.#client = clientWith({ timeout: timeoutMs })
    this.#patient = clientWith({ timeout: patientTimeoutMs, maxResponseBodySize: patientBytesMax })
  }

  async call<Result>(run: NodeCall<Result>): Promise<Result> {
    if (!this.#isChecked) await this.chainId()
    return callNode(() => run(this.#client, this.#patient))
  }

  callEqual(run: NodeCall<Hex>): Promise<Hex> {
    return this.call(run)
  }

  async callAll(run: NodeCall<unknown>): Promise<void> {
    await this.call(run).catch(() => undefined)
  }

  async block(position: BlockPosition): Promise<Block> {
    const where = typeof position === 'bigint' ? { blockNumber: position } : { blockTag: position }
    const { number, hash, parentHash, timestamp } = await this.call((client) => client.getBlock(where))
    if (number === null || hash === null) throw new ChainUnavailable('The node returned a block without a number.')
    return { number, hash, parentHash, timestamp: new Date(Number(timestamp) * 1000) }
  }

  /** Checks nothing: a single node is believed. */
  async requireBlock(): Promise<void> {}

  async chainId(): Promise<number> {
    const id = await callNode(() => this.#client.getChainId())
    this.#isChecked = this.#expectedId === undefined || this.#expectedId === id
    if (!this.#isChecked)
      throw new WrongChain(
        `A node of ${this.#chain} has chain id ${id}, but ${this.#chain} has ${this.#expectedId}: correct CHAINS.`,
      )
    return id
  }

  async check(): Promise<void> {
    await this.chainId()
  }
}

/** Measures every call of a node. */
function measured(chain: string, transport: Transport): Transport {
  rpcErrors.add(0, { chain, method: 'eth_blockNumber' })
  return (options) => {
    const created = transport(options)
    const request = async (call: { method: string }) => {
      const startedAt = performance.now()
      try {
        return await created.request(call as never)
      } catch (error) {
        const isReverted = error instanceof RpcRequestError && error.code === executionReverted
        if (!isReverted) rpcErrors.add(1, { chain, method: call.method })
        throw error
      } finally {
        rpcDuration.record((performance.now() - startedAt) / 1000, { chain, method: call.method })
      }
    }
    return { ...created, request: request as typeof created.request }
  }
}

const rpcErrors = counter('rpc_errors', {
  description: 'Calls of a node that failed, except calls of contracts that revert',
  labels: ['chain', 'method'],
})
const rpcDuration = histogram('rpc_duration_seconds', {
  description: 'How long a call of a node takes',
  labels: ['chain', 'method'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
})

// The JSON-RPC error code. Never the error text, which differs between nodes.
const executionReverted = 3

async function callNode<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ChainUnavailable) throw error
    const rpcError = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError)
    if (rpcError instanceof RpcRequestError && rpcError.code === executionReverted)
      throw new CallReverted(typeof rpcError.data === 'string' ? (rpcError.data as Hex) : '0x')
    if (error instanceof BaseError && error.walk((cause) => cause instanceof ResponseBodyTooLargeError))
      throw new ResponseTooLarge('The response of the node is too large.', { cause: error })
    // Only the name: the text contains the node's URL, which can contain a key.
    const name = error instanceof Error ? error.name : 'unknown error'
    throw new ChainUnavailable(`The node of the chain does not respond correctly (${name}).`, { cause: error })
  }
}
