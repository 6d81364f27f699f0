import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
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
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type WalletClient,
} from 'viem'
import { type Artifact, everyAbi } from './artifacts.ts'

export interface Contract {
  readonly address: Address
  readonly abi: Abi
}

/** An Ethereum of the test's own, that mines each transaction at once and whose accounts need no keys. */
export class Chain {
  readonly accounts: readonly Address[]
  readonly client: PublicClient
  readonly #wallet: WalletClient
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string, accounts: readonly Address[]) {
    this.#process = process
    this.accounts = accounts
    this.client = createPublicClient({ transport: http(url, { batch: true }) })
    this.#wallet = createWalletClient({ transport: http(url) })
  }

  static async start(): Promise<Chain> {
    const program = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))
    // With the limit that mainnet puts on one transaction (EIP-7825), which a batch must stay below. A block has room for
    // one: anvil takes a block's whole gas for what it cannot estimate, and would refuse that for its size.
    const limits = ['--enable-tx-gas-limit', '--gas-limit', String(2 ** 24)]
    const settings = ['--port', '0', '--slots-in-an-epoch', '2', ...limits]
    const child = spawn(process.execPath, [program, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
    const url = await listening(child)
    const accounts = await createWalletClient({ transport: http(url) }).getAddresses()
    return new Chain(child, url, accounts)
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }

  account(index: number): Address {
    const account = this.accounts[index]
    assert.ok(account)
    return account
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

  /** With no more gas than this. */
  async sendWithGas(contract: Contract, name: string, args: unknown[], from: Address, gas: bigint) {
    return this.#mined(await this.#sent(contract, name, args, from, gas))
  }

  /** A transaction that is mined, and fails: with gas given nobody estimates it and so finds out before. */
  async sendRefused(contract: Contract, name: string, args: unknown[], from: Address): Promise<void> {
    const hash = await this.#sent(contract, name, args, from, 10_000_000n)
    assert.equal((await this.#receipt(hash)).status, 'reverted')
  }

  async read<Answer>(contract: Contract, name: string, args: unknown[] = []): Promise<Answer> {
    return (await this.client.readContract({ ...contract, functionName: name, args })) as Answer
  }

  /** Why a call is refused, as `Error(argument, …)`; undefined when it is not. */
  async refusal(contract: Contract, name: string, args: unknown[], from: Address): Promise<string | undefined> {
    const { address } = contract
    // A contract passes on the errors of those that it calls, which its own description does not have.
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

  async #sent(contract: Contract, name: string, args: unknown[], from: Address, gas: bigint): Promise<Hex> {
    return this.#wallet.writeContract({ ...contract, functionName: name, args, account: from, chain: null, gas })
  }

  async #mined(hash: Hex): Promise<TransactionReceipt> {
    const receipt = await this.#receipt(hash)
    assert.equal(receipt.status, 'success')
    return receipt
  }

  /**
   * Mined at once is still a moment after it was accepted. viem's own wait looks again with the next block, which may
   * never come here.
   */
  async #receipt(hash: Hex): Promise<TransactionReceipt> {
    const deadline = Date.now() + 10_000
    for (;;)
      try {
        return await this.client.getTransactionReceipt({ hash })
      } catch (error) {
        if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > deadline) throw error
        await setTimeout(2)
      }
  }
}

/** What happened, oldest first, as `Event(argument, …)`. */
export function eventsOf(receipt: TransactionReceipt): string[] {
  return parseEventLogs({ abi: everyAbi, logs: receipt.logs }).map(
    ({ eventName, args }) => `${eventName}(${Object.values(args ?? {}).join(', ')})`,
  )
}

/** Goes on reading afterwards: anvil writes a line for each call, and stops when nobody reads them. */
async function listening(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const lines = createInterface(child.stdout)
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const address = /^Listening on (\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    })
    lines.on('close', () => reject(new Error('anvil ended before it listened')))
  })
}
