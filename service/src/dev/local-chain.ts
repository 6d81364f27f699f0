import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createTestClient, http, parseEther } from 'viem'

/**
 * A local Ethereum node (anvil) on loopback, for tests and for development without an external node. With two slots per
 * epoch, blocks are final after four slots.
 */
export class LocalChain {
  readonly url: string
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.url = url
  }

  /**
   * Starts a chain, on a free port by default. Mines each transaction immediately, or a block every `blockSeconds`.
   * With a state file, it continues where it stopped.
   */
  static async open(options: { port?: number; blockSeconds?: number; stateFile?: string } = {}): Promise<LocalChain> {
    const { port = 0, blockSeconds, stateFile } = options
    const program = fileURLToPath(import.meta.resolve('@foundry-rs/anvil/bin.mjs'))
    const flags = ['--host', '127.0.0.1', '--port', String(port), '--slots-in-an-epoch', '2']
    const blocks = blockSeconds === undefined ? [] : ['--block-time', String(blockSeconds)]
    const state = stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', String(stateSeconds)]
    const child = spawn(process.execPath, [program, ...flags, ...blocks, ...state], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Runs in its own process group: on Ctrl-C, our shutdown must stop it last.
      detached: true,
    })
    return new LocalChain(child, await listening(child))
  }

  /** Sets the balance of an address, so that it can pay for gas. */
  async setBalance(address: `0x${string}`, ether = '1000'): Promise<void> {
    await setBalanceOn(this.url, address, ether)
  }

  /** Stops anvil after it has written its state. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
  }
}

/** Seconds of the chain that are lost if anvil is killed. Writing takes longer as the chain grows, so not fewer. */
const stateSeconds = 30

/** Works on any anvil node, including one that this process did not start. */
export async function setBalanceOn(url: string, address: `0x${string}`, ether: string): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(url) })
  await client.setBalance({ address, value: parseEther(ether) })
}

/** Waits until anvil listens. Keeps reading afterwards: anvil logs every call, and would block on a full pipe. */
async function listening(child: ChildProcess): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error('anvil has no output')
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString()).slice(-1_000)
  })
  const isReady = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const address = /^Listening on (\S+)/.exec(line)?.[1]
    if (address !== undefined) isReady.resolve(`http://${address}`)
  })
  child.once('exit', () => isReady.reject(new Error(`The chain (anvil) did not start:\n${errorOutput}`)))
  return isReady.promise
}
