import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem'

const launcher = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))

/** An Ethereum of the test's own, whose blocks come when the test says so, unless it asks for a rhythm. */
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
    const rhythm = blockSeconds === undefined ? ['--no-mining'] : ['--block-time', String(blockSeconds)]
    // Two slots in an epoch make a block final when four more stand on it.
    const settings = ['--port', '0', '--slots-in-an-epoch', '2', '--gas-limit', '60000000', ...rhythm]
    const child = spawn(process.execPath, [launcher, ...settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that what the launcher starts is frozen and ended with it.
      detached: true,
    })
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`anvil ended with ${code}`)))
      // Read to the end: a full pipe would stop it.
      createInterface(child.stdout).on('line', (line) => {
        const address = /^Listening on (\S+)/.exec(line)?.[1]
        if (address) resolve(`http://${address}`)
      })
    })
    return new PacedChain(child, url)
  }

  /** Whatever a node of this kind can be asked to do. */
  async rpc(method: string, ...params: unknown[]): Promise<unknown> {
    return this.client.request({ method, params } as never)
  }

  async mine(blocks = 1): Promise<void> {
    await this.rpc('anvil_mine', `0x${blocks.toString(16)}`)
  }

  /** Replaces the last so many blocks by empty ones. */
  async reorganise(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', depth, [])
  }

  async giveGasMoney(address: Address): Promise<void> {
    await this.rpc('anvil_setBalance', address, '0x56bc75e2d63100000' satisfies Hex)
  }

  freeze(): void {
    process.kill(-this.#pid, 'SIGSTOP')
  }

  thaw(): void {
    process.kill(-this.#pid, 'SIGCONT')
  }

  get #pid(): number {
    if (this.#process.pid === undefined) throw new Error('anvil did not start')
    return this.#process.pid
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.thaw()
    process.kill(-this.#pid, 'SIGTERM')
    await ended
  }
}
