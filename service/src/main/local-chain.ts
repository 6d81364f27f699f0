import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createTestClient, http, parseEther } from 'viem'

/**
 * An Ethereum of our own (anvil) on loopback, whose blocks are final after two epochs of two: for development, which
 * shall need no node, and for tests.
 */
export class LocalChain {
  readonly url: string
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.url = url
  }

  /**
   * On a free port unless one is given. Mines each transaction at once, or a block whenever so many seconds have
   * passed. With a state file it goes on where it stopped.
   */
  static async open(given: { port?: number; blockSeconds?: number; stateFile?: string } = {}): Promise<LocalChain> {
    const { port = 0, blockSeconds, stateFile } = given
    const program = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))
    const place = ['--host', '127.0.0.1', '--port', String(port), '--slots-in-an-epoch', '2']
    const blocks = blockSeconds === undefined ? [] : ['--block-time', String(blockSeconds)]
    const state = stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', String(stateSeconds)]
    const child = spawn(process.execPath, [program, ...place, ...blocks, ...state], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Out of the terminal's process group: Ctrl-C must reach it last, from us.
      detached: true,
    })
    return new LocalChain(child, await listening(child))
  }

  /** Gas money out of nothing. */
  async give(address: `0x${string}`, ether = '1000'): Promise<void> {
    await giveOn(this.url, address, ether)
  }

  /** Waits until its state is written. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }
}

/** How much of the chain a killed process may lose; writing it takes longer the longer the chain is. */
const stateSeconds = 30

/** On any anvil, also one that somebody else has started. */
export async function giveOn(url: string, address: `0x${string}`, ether: string): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(url) })
  await client.setBalance({ address, value: parseEther(ether) })
}

/** Goes on reading afterwards: anvil writes a line for each call, and stops when nobody reads them. */
async function listening(child: ChildProcess): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error('anvil has no output')
  let lastWords = ''
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-1_000)
  })
  const isReady = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const address = /^Listening on (\S+)/.exec(line)?.[1]
    if (address !== undefined) isReady.resolve(`http://${address}`)
  })
  child.once('exit', () => isReady.reject(new Error(`The chain (anvil) does not start:\n${lastWords}`)))
  return isReady.promise
}
