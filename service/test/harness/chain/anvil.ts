import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Address,
  createPublicClient,
  getAddress,
  type Hash,
  http,
  numberToHex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Call } from '../../../src/tokens/chain/chain.ts'

/** A call with its sender. */
type SentCall = Call & { readonly from: Address }

/** A block is finalized two epochs behind the head. */
interface AnvilOptions {
  readonly slotsInAnEpoch?: number
  /** Further command-line flags of anvil. */
  readonly flags?: readonly string[]
}

/** A local chain. By default it mines each transaction at once and accepts transactions from any address, unsigned. */
export class Anvil {
  readonly url: string
  readonly client: PublicClient
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.url = url
    this.client = createPublicClient({ cacheTime: 0, transport: http(url, { timeout: 60_000 }) })
  }

  static async start({ slotsInAnEpoch = 2, flags = defaultFlags }: AnvilOptions = {}): Promise<Anvil> {
    const program = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))
    const settings = ['--port', '0', '--slots-in-an-epoch', String(slotsInAnEpoch), ...flags]
    const child = spawn(process.execPath, [program, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
    return new Anvil(child, await listening(child))
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
  }

  /** Calls any JSON-RPC method of anvil. */
  async rpc<Result>(method: string, ...params: unknown[]): Promise<Result> {
    return (await this.client.request({ method, params } as never)) as Result
  }

  /** Returns one of anvil's prefunded accounts. */
  async account(index: number): Promise<Address> {
    const account = (await this.rpc<Address[]>('eth_accounts'))[index]
    assert.ok(account)
    return getAddress(account)
  }

  async fund(address: Address): Promise<void> {
    await this.rpc('anvil_setBalance', address, numberToHex(10n ** 18n))
  }

  head(): Promise<bigint> {
    return this.client.getBlockNumber({ cacheTime: 0 })
  }

  async mine(blocks = 1): Promise<void> {
    await this.rpc('anvil_mine', numberToHex(blocks))
  }

  /** Mines until the current head is finalized. */
  async finalize(): Promise<void> {
    const head = await this.head()
    while ((await this.client.getBlock({ blockTag: 'finalized' })).number < head) await this.mine()
  }

  async automine(isOn: boolean): Promise<void> {
    await this.rpc('evm_setAutomine', isOn)
  }

  /** Replaces the last blocks. The new ones contain the given transactions, each with the index of its block. */
  async reorg(depth: number, transactions: readonly (readonly [SentCall, number])[] = []): Promise<void> {
    // Sets a gas limit: the node would estimate it on the old blocks, where the same call may already have happened.
    const withGas = transactions.map(([call, block]) => [{ gas: numberToHex(5_000_000), ...call }, block])
    await this.rpc('anvil_reorg', depth, withGas)
  }

  /** Sends a transaction and returns its hash without waiting for a block. */
  submit(from: Address, { to, data }: Call, gas?: bigint): Promise<Hash> {
    return this.rpc('eth_sendTransaction', { from, to, data, ...(gas ? { gas: numberToHex(gas) } : {}) })
  }

  /** Sends a transaction and waits until it is in a block. */
  async send(from: Address, call: Call): Promise<TransactionReceipt> {
    const receipt = await this.receipt(await this.submit(from, call))
    assert.equal(receipt.status, 'success')
    return receipt
  }

  /** Waits for the receipt: even automining takes a moment after the node has accepted the transaction. */
  async receipt(hash: Hash): Promise<TransactionReceipt> {
    const endsAt = performance.now() + 10_000
    for (;;)
      try {
        return await this.client.getTransactionReceipt({ hash })
      } catch (error) {
        if (!(error instanceof TransactionReceiptNotFoundError) || performance.now() > endsAt) throw error
        await sleep(2)
      }
  }
}

const defaultFlags = ['--auto-impersonate']

type Interception = (request: { method: string; params: unknown[] }) => Promise<void>

/**
 * Starts a proxy to the node. It calls `before` before it forwards a request, and `after` before it returns the
 * response, to which it adds as many spaces as `pad` returns.
 */
export async function startProxyTo(
  anvil: Anvil,
  {
    before,
    after,
    pad,
  }: { before?: Interception; after?: Interception; pad?: (request: Parameters<Interception>[0]) => number },
): Promise<{ url: string; close: () => void }> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    await before?.(JSON.parse(body))
    const forwarded = await fetch(anvil.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const result = await forwarded.text()
    await after?.(JSON.parse(body))
    const padding = ' '.repeat(pad?.(JSON.parse(body)) ?? 0)
    response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(result + padding)
  }
  const server = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

/** Waits until anvil listens. Keeps reading: anvil writes a line per call and blocks when the pipe is full. */
async function listening(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const lines = createInterface(child.stdout)
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const address = /^Listening on (\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    })
    lines.on('close', () => reject(new Error('anvil exited before it was listening')))
  })
}
