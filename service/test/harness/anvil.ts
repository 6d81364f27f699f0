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
import type { Call } from '../../src/tokens/chain/chain.ts'

/** A call and who sends it, as the node takes it. */
type SentCall = Call & { readonly from: Address }

/** How a chain behaves; a block is final two epochs behind the head. */
interface AnvilOptions {
  readonly slotsInAnEpoch?: number
  /** Whatever else anvil takes on its command line. */
  readonly flags?: readonly string[]
}

/**
 * A chain of the test's own. It mines each transaction at once, unless told otherwise, and lets anybody send as anybody
 * without a key.
 */
export class Anvil {
  readonly url: string
  readonly client: PublicClient
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.url = url
    this.client = createPublicClient({ cacheTime: 0, transport: http(url, { timeout: 60_000 }) })
  }

  static async start({ slotsInAnEpoch = 2, flags = freeForAll }: AnvilOptions = {}): Promise<Anvil> {
    const program = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))
    const settings = ['--port', '0', '--slots-in-an-epoch', String(slotsInAnEpoch), ...flags]
    const child = spawn(process.execPath, [program, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
    return new Anvil(child, await listening(child))
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }

  /** Any method of the node, with what it answers. */
  async ask<Answer>(method: string, ...params: unknown[]): Promise<Answer> {
    return (await this.client.request({ method, params } as never)) as Answer
  }

  /** One of anvil's own accounts, which have money. */
  async account(index: number): Promise<Address> {
    const account = (await this.ask<Address[]>('eth_accounts'))[index]
    assert.ok(account)
    return getAddress(account)
  }

  /** Money for gas. */
  async fund(address: Address): Promise<void> {
    await this.ask('anvil_setBalance', address, numberToHex(10n ** 18n))
  }

  head(): Promise<bigint> {
    return this.client.getBlockNumber({ cacheTime: 0 })
  }

  async mine(blocks = 1): Promise<void> {
    await this.ask('anvil_mine', numberToHex(blocks))
  }

  /** So many blocks that everything so far is final. */
  async finalize(): Promise<void> {
    const head = await this.head()
    while ((await this.client.getBlock({ blockTag: 'finalized' })).number < head) await this.mine()
  }

  async automine(isOn: boolean): Promise<void> {
    await this.ask('evm_setAutomine', isOn)
  }

  /** Replaces so many blocks by others, that are empty unless transactions are given, each with its place among them. */
  async reorg(depth: number, transactions: readonly (readonly [SentCall, number])[] = []): Promise<void> {
    // Without gas given, the node would estimate on the chain as it is before, where the same may have happened already.
    const given = transactions.map(([call, block]) => [{ gas: numberToHex(5_000_000), ...call }, block])
    await this.ask('anvil_reorg', depth, given)
  }

  /** The hash, without waiting for a block. */
  submit(from: Address, { to, data }: Call, gas?: bigint): Promise<Hash> {
    return this.ask('eth_sendTransaction', { from, to, data, ...(gas ? { gas: numberToHex(gas) } : {}) })
  }

  /** Sends and waits until it is in a block. */
  async send(from: Address, call: Call): Promise<TransactionReceipt> {
    const receipt = await this.receipt(await this.submit(from, call))
    assert.equal(receipt.status, 'success')
    return receipt
  }

  /** Mined at once is still a moment after it was accepted. */
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

const freeForAll = ['--auto-impersonate']

type Meanwhile = (question: { method: string; params: unknown[] }) => Promise<void>

/** A way to the node on which something can happen before a question gets there, or before its answer is back. */
export async function startWayTo(
  anvil: Anvil,
  { before, after }: { before?: Meanwhile; after?: Meanwhile },
): Promise<{ url: string; close: () => void }> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    await before?.(JSON.parse(body))
    const answer = await fetch(anvil.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const answered = await answer.text()
    await after?.(JSON.parse(body))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered)
  }
  const server = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
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
