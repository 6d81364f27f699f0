import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isServing, type RunningProcess } from '../../../service/test/harness/installation/process.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { checkMs } from './load-balancer.ts'
import type { Main, ReleaseTree } from './release-tree.ts'

interface Member {
  readonly main: Main
  readonly port: number
  process: RunningProcess
}

/** Processes in the order in which docs/operations/upgrade.md replaces them. */
const mains: readonly Main[] = ['worker', 'worker', 'indexer', 'api', 'api']

/** The processes of an installation, which are replaced one after the other, each on its port. */
export class Fleet {
  readonly #settings: Record<string, string>
  readonly #members: Member[] = []
  readonly #started: RunningProcess[] = []

  private constructor(settings: Record<string, string>) {
    this.#settings = settings
  }

  static async start(settings: Record<string, string>, tree: ReleaseTree): Promise<Fleet> {
    const fleet = new Fleet(settings)
    try {
      for (const main of mains) {
        const port = await freePort()
        fleet.#members.push({ main, port, process: await fleet.#start(tree, main, port) })
      }
      return fleet
    } catch (error) {
      await fleet.end()
      throw error
    }
  }

  get apiPorts(): number[] {
    return this.#members.filter(({ main }) => main === 'api').map(({ port }) => port)
  }

  /** Stops each process like an orchestrator, and starts the same process of another release. Yields their names. */
  async *replaceAll(tree: ReleaseTree): AsyncGenerator<string> {
    for (const member of this.#members) yield await this.#replace(member, tree)
  }

  /** Returns what all processes have logged about a request. */
  logOf(requestId: string): string[] {
    return this.#started.flatMap(({ output }) => output.filter((line) => line.includes(requestId)))
  }

  /** Ends all processes, including those that never became ready. */
  async end(): Promise<void> {
    await Promise.all(this.#started.map((process) => process.kill()))
  }

  async #replace(member: Member, tree: ReleaseTree): Promise<string> {
    const code = await member.process.stop()
    if (code !== 0) throw new Error(`${member.main} ended with ${code}: ${member.process.output.at(-1)}`)
    member.process = await this.#start(tree, member.main, member.port)
    // Gives the load balancer time to send requests to it again.
    await sleep(3 * checkMs)
    return member.main
  }

  async #start(tree: ReleaseTree, main: Main, port: number): Promise<RunningProcess> {
    const ports = { PORT: String(port), WORKER_PORT: String(port), INDEXER_PORT: String(port) }
    const process = tree.start(main, { ...this.#settings, ...ports, METRICS_PORT: String(await freePort()) })
    this.#started.push(process)
    let hasEnded = false
    void process.ended.then(() => {
      hasEnded = true
    })
    const isReady = async () => {
      if (hasEnded) throw new Error(`${main} has ended`)
      return isServing(`http://127.0.0.1:${port}/readyz`)
    }
    await until(`${main} is ready`, isReady, 120_000).catch((error: Error) => {
      throw new Error(`${error.message}: ${process.output.slice(-3).join('\n')}`)
    })
    return process
  }
}
