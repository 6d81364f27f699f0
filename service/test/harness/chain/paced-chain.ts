import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem'

const launcher = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))

/** A local chain (anvil) that mines only when the test calls `mine`, or in a fixed interval (`blockSeconds`). */
export class PacedChain {
  readonly url: string
  readonly client: PublicClient
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.url = url
    this.client = createPublicClient({ cacheTime: 0, transport: http(url, { retryCount: 0 }) })
  }

  static async start({ blockSeconds }: { blockSeconds?: number } = {}): Promise<PacedChain> {
    const mining = blockSeconds === undefined ? ['--no-mining'] : ['--block-time', String(blockSeconds)]
    // With two slots per epoch a block is finalized after four more blocks.
    const settings = ['--port', '0', '--slots-in-an-epoch', '2', '--gas-limit', '60000000', ...mining]
    const child = spawn(process.execPath, [launcher, ...settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // A separate process group, so that signals also reach the process that the launcher starts.
      detached: true,
    })
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`anvil exited with code ${code}`)))
      // Keeps reading after the start: anvil blocks when the pipe is full.
      createInterface(child.stdout).on('line', (line) => {
        const address = /^Listening on (\S+)/.exec(line)?.[1]
        if (address) resolve(`http://${address}`)
      })
    })
    return new PacedChain(child, url)
  }

  /** Calls any JSON-RPC method of anvil. */
  async rpc(method: string, ...params: unknown[]): Promise<unknown> {
    return this.client.request({ method, params } as never)
  }

  async mine(blocks = 1): Promise<void> {
    await this.rpc('anvil_mine', `0x${blocks.toString(16)}`)
  }

  /** Replaces the last blocks. The first of the new ones contains these calls, the others are empty. */
  async reorg(depth: number, ...calls: { from: Address; to: Address; data: Hex }[]): Promise<void> {
    for (const { from } of calls) await this.rpc('anvil_impersonateAccount', from)
    await this.rpc(
      'anvil_reorg',
      depth,
      calls.map((call) => [{ gas: '0x7a1200', ...call }, 0]),
    )
    for (const { from } of calls) await this.rpc('anvil_stopImpersonatingAccount', from)
  }

  async fundGas(address: Address): Promise<void> {
    await this.rpc('anvil_setBalance', address, '0x56bc75e2d63100000' satisfies Hex)
  }

  freeze(): void {
    process.kill(-this.#pid, 'SIGSTOP')
  }

  unfreeze(): void {
    process.kill(-this.#pid, 'SIGCONT')
  }

  get #pid(): number {
    if (this.#process.pid === undefined) throw new Error('anvil did not start')
    return this.#process.pid
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    this.unfreeze()
    await this.#end('SIGTERM')
  }

  /** Kills anvil, which loses its blocks. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.#process, 'exit')
    process.kill(-this.#pid, signal)
    await exited
  }
}
