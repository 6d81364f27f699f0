import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type RunningProcess, startProcess } from '../installation/process.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { seededRandom } from '../seeded-random.ts'
import { until } from '../wait.ts'
import { type Tally, tallyEffects } from './exactly-once.ts'
import { KeyedWriters } from './keyed-writers.ts'

export interface CrashRun extends Tally {
  writers: KeyedWriters
  kills: number
  replays: number
  seconds: number
}

const processCount = 3
/** Upper limit for the responses of a process before it is killed. */
const responsesMax = 40
const startMsMax = 60_000

/**
 * Kills API processes with SIGKILL while clients write through them, until the number of kills or the time limit is
 * reached. Then compares the rows in the database with what the clients sent. The seed determines what clients send and
 * how long processes live, but not at which instruction a process dies.
 */
export async function crashRun(options: CrashOptions): Promise<CrashRun> {
  const installation = await TestInstallation.create({ DATABASE_POOL_MAX: '8' })
  const processes = new QuickProcesses(installation.settings)
  try {
    const random = seededRandom(options.seed)
    const writers = await KeyedWriters.create(installation, random)
    await processes.prepare()
    const startedAt = performance.now()
    const kills = await killWhileWriting(options, { processes, writers, random })
    const replays = await writers.replayAll()
    const tally = await tallyEffects(installation, writers)
    if (kills < options.kills) tally.problems.push(`only ${kills} of ${options.kills} kills in ${options.secondsMax} s`)
    return { ...tally, writers, kills, replays, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    await processes.end()
    await installation.end()
  }
}

interface CrashOptions {
  kills: number
  seed: number
  secondsMax: number
}

/** Resolves with the number of kills once every started write has its response. Leaves one process running. */
async function killWhileWriting(
  options: CrashOptions,
  { processes, writers, random }: { processes: QuickProcesses; writers: KeyedWriters; random: () => number },
): Promise<number> {
  const endsAt = performance.now() + options.secondsMax * 1000
  let started = 0
  let kills = 0
  const keepKilling = async () => {
    while (started < options.kills && performance.now() < endsAt) {
      started += 1
      const victim = await processes.start()
      writers.setTargets(processes.baseUrls)
      // Counts responses, not time: on a busy machine the process would die before it has done anything.
      const lifetime = Math.floor(random() * responsesMax)
      await until('the victim has responded', () => writers.responsesFrom(victim.baseUrl) >= lifetime, startMsMax)
      await sleep(random() * 20)
      await until('requests are in flight', () => writers.inFlightAt(victim.baseUrl) > 0, startMsMax)
      const killed = processes.kill(victim)
      writers.setTargets(processes.baseUrls)
      await killed
      kills += 1
    }
  }
  try {
    const first = await processes.start()
    writers.setTargets([first.baseUrl])
    await writers.start()
    await processes.kill(first)
    await Promise.all(Array.from({ length: processCount }, keepKilling))
    await processes.start()
    writers.setTargets(processes.baseUrls)
    await writers.finish()
    return kills
  } finally {
    writers.abort()
  }
}

interface QuickApi {
  process: RunningProcess
  baseUrl: string
}

/** API processes with precompiled modules: a run with hundreds of kills spends most of its time on starts. */
class QuickProcesses {
  readonly #settings: Record<string, string>
  readonly #started = new Set<RunningProcess>()
  readonly #serving = new Set<QuickApi>()
  #folder = ''

  constructor(settings: Record<string, string>) {
    this.#settings = settings
  }

  /** Precompiles with a process that exits normally: Node writes compiled modules only then, not when killed. */
  async prepare(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'investor-token-compiled-'))
    const first = await this.start()
    await first.process.stop()
    this.#serving.delete(first)
  }

  get baseUrls(): string[] {
    return [...this.#serving].map(({ baseUrl }) => baseUrl)
  }

  async start(): Promise<QuickApi> {
    for (let attempt = 1; ; attempt++) {
      const ports = { PORT: '0', METRICS_PORT: String(await freePort()) }
      const process = startProcess('api', { ...this.#settings, ...ports, NODE_COMPILE_CACHE: this.#folder })
      this.#started.add(process)
      try {
        const { port } = await process.logged('listening', startMsMax)
        const started = { process, baseUrl: `http://127.0.0.1:${Number(port)}` }
        this.#serving.add(started)
        return started
      } catch (error) {
        // With hundreds of starts and thousands of connections, the port that was free may be in use.
        await process.kill()
        if (attempt === 3) throw error
      }
    }
  }

  async kill(victim: QuickApi): Promise<void> {
    this.#serving.delete(victim)
    await victim.process.kill()
    this.#started.delete(victim.process)
  }

  async end(): Promise<void> {
    await Promise.all([...this.#started].map((process) => process.kill()))
    await rm(this.#folder, { recursive: true, force: true })
  }
}
