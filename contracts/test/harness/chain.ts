import assert from 'node:assert/strict'
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  type Log,
  numberToHex,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
  type WalletClient,
} from 'viem'
import { Anvil } from '../../../service/test/harness/chain/anvil.ts'
import { type Artifact, everyAbi } from './artifacts.ts'

export interface Contract {
  readonly address: Address
  readonly abi: Abi
}

/** At least seven of anvil's accounts. */
type Accounts = [Address, Address, Address, Address, Address, Address, Address]

// A batch of hundreds of calls takes longer than viem's ten seconds on a busy machine.
const timeoutMs = 60_000

/** An anvil per test file. It mines each transaction at once, and its accounts are unlocked. */
export class Chain {
  readonly accounts: Accounts
  readonly client: PublicClient
  readonly #anvil: Anvil
  readonly #wallet: WalletClient

  private constructor(anvil: Anvil, accounts: Accounts) {
    this.#anvil = anvil
    this.accounts = accounts
    this.client = createPublicClient({ transport: http(anvil.url, { batch: true, timeout: timeoutMs }) })
    this.#wallet = createWalletClient({ transport: http(anvil.url, { timeout: timeoutMs }) })
  }

  static async start(): Promise<Chain> {
    // Enforces the transaction gas limit of mainnet (EIP-7825). The block gas limit is the same: if anvil cannot
    // estimate a transaction, it uses the block gas limit, and a higher one would exceed the transaction limit.
    const anvil = await Anvil.start({ flags: ['--enable-tx-gas-limit', '--gas-limit', String(2 ** 24)] })
    return new Chain(anvil, (await createWalletClient({ transport: http(anvil.url) }).getAddresses()) as Accounts)
  }

  stop(): Promise<void> {
    return this.#anvil.stop()
  }

  async deploy(artifact: Artifact, args: unknown[], from: Address): Promise<Contract & { gasUsed: bigint }> {
    const { abi, bytecode } = artifact
    const receipt = await this.#mined(
      await this.#wallet.deployContract({ abi, bytecode, args, account: from, chain: null }),
    )
    assert.ok(receipt.contractAddress)
    return { address: getAddress(receipt.contractAddress), abi, gasUsed: receipt.gasUsed }
  }

  async send(contract: Contract, name: string, args: unknown[], from: Address): Promise<TransactionReceipt> {
    const call = { ...contract, functionName: name, args, account: from, chain: null }
    return this.#mined(await this.#wallet.writeContract(call))
  }

  /** Sends with this gas limit instead of an estimate. */
  async sendWithGas(contract: Contract, name: string, args: unknown[], from: Address, gas: bigint) {
    return this.#mined(await this.#sent(contract, name, args, from, gas))
  }

  /** Mines a transaction that reverts. Sets the gas limit, because estimating the gas would already fail. */
  async sendReverting(contract: Contract, name: string, args: unknown[], from: Address): Promise<void> {
    const hash = await this.#sent(contract, name, args, from, 10_000_000n)
    assert.equal((await this.#anvil.receipt(hash)).status, 'reverted')
  }

  async read<Result>(contract: Contract, name: string, args: unknown[] = []): Promise<Result> {
    return (await this.client.readContract({ ...contract, functionName: name, args })) as Result
  }

  /** Returns the error of a reverting call as `Error(argument, …)`, or undefined if it does not revert. */
  async revertReason(contract: Contract, name: string, args: unknown[], from: Address): Promise<string | undefined> {
    const { address } = contract
    // A contract passes on the errors of contracts that it calls, which are not in its own ABI.
    const abi = [...contract.abi, ...everyAbi.filter((part) => part.type === 'error')]
    try {
      await this.client.simulateContract({ address, abi, functionName: name, args, account: from })
      return undefined
    } catch (error) {
      const reverted =
        error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError)
      if (!(reverted instanceof ContractFunctionRevertedError) || !reverted.data) throw error
      return `${reverted.data.errorName}(${(reverted.data.args ?? []).join(', ')})`
    }
  }

  /** Advances the time and mines a block. */
  async passTime(seconds: number): Promise<void> {
    await this.#anvil.rpc('evm_increaseTime', seconds)
    await this.#anvil.mine()
  }

  /** Mines a block with exactly this time, in seconds. Calls without a transaction see it until the next block. */
  async mineAt(timestamp: number): Promise<void> {
    await this.#anvil.rpc('evm_setNextBlockTimestamp', timestamp)
    await this.#anvil.mine()
  }

  /**
   * Sends all calls and mines them, each with the same gas limit, whether it reverts or not. Returns their logs in the
   * order of the chain. The node decides the order of calls of different senders.
   */
  async sendAll(calls: readonly { from: Address; to: Address; data: Hex }[], gas: bigint): Promise<Log[]> {
    const fromBlock = (await this.client.getBlockNumber({ cacheTime: 0 })) + 1n
    const senders = new Set(calls.map(({ from }) => from))
    const nonces = new Map<Address, number>()
    for (const address of senders) nonces.set(address, await this.client.getTransactionCount({ address }))
    await this.#anvil.automine(false)
    await Promise.all(
      calls.map((call) => {
        // The node handles the requests of a batch concurrently and would assign a nonce twice.
        const nonce = nonces.get(call.from) ?? 0
        nonces.set(call.from, nonce + 1)
        const params = [{ ...call, gas: numberToHex(gas), nonce: numberToHex(nonce) }]
        return this.client.request({ method: 'eth_sendTransaction', params } as never)
      }),
    )
    // One block may be too full for all of them.
    for (let mined = 0; mined < calls.length; ) {
      await this.#anvil.mine()
      const block = await this.client.getBlock({ blockTag: 'latest' })
      assert.ok(block.transactions.length > 0, 'a block has no transactions although some are pending')
      mined += block.transactions.length
    }
    await this.#anvil.automine(true)
    return this.client.getLogs({ fromBlock })
  }

  async #sent(contract: Contract, name: string, args: unknown[], from: Address, gas: bigint): Promise<Hex> {
    return this.#wallet.writeContract({ ...contract, functionName: name, args, account: from, chain: null, gas })
  }

  async #mined(hash: Hex): Promise<TransactionReceipt> {
    const receipt = await this.#anvil.receipt(hash)
    assert.equal(receipt.status, 'success')
    return receipt
  }
}

/** Returns the events of a transaction, oldest first, as `Event(argument, …)`. */
export function eventsOf(receipt: TransactionReceipt): string[] {
  return parseEventLogs({ abi: everyAbi, logs: receipt.logs }).map(
    ({ eventName, args }) => `${eventName}(${Object.values(args ?? {}).join(', ')})`,
  )
}
