import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Tally, tallyEffects } from './exactly-once.ts'
import { KeyedWriters } from './keyed-writers.ts'
import { freePort, type RunningProcess, startProcess } from './process.ts'
import { seededRandom } from './seeded-random.ts'
import { TestInstallation } from './service.ts'
import { until } from './wait.ts'

export interface CrashRun extends Tally {
  writers: KeyedWriters
  kills: number
  replays: number
  seconds: number
}

const processCount = 3
/** A process is killed after fewer answers than this. */
const answersMax = 40
const startMsMax = 60_000

/**
 * Kills API processes with SIGKILL while clients write through them, until there were so many kills or the time is
 * over, and then holds what is in the database against what was asked for. The seed decides what clients send and how
 * long processes live; in which instruction a process dies is up to the machine.
 */
export async function crashRun(wanted: Wanted): Promise<CrashRun> {
  const installation = await TestInstallation.create({ DATABASE_POOL_MAX: '8' })
  const processes = new QuickProcesses(installation.settings)
  try {
    const random = seededRandom(wanted.seed)
    const writers = await KeyedWriters.create(installation, random)
    await processes.prepare()
    const startedAt = performance.now()
    const kills = await killWhileWriting(wanted, { processes, writers, random })
    const replays = await writers.replayAll()
    const tally = await tallyEffects(installation, writers)
    if (kills < wanted.kills)
      tally.problems.push(`there were ${kills} of ${wanted.kills} kills in ${wanted.secondsMax} s`)
    return { ...tally, writers, kills, replays, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    await processes.end()
    await installation.end()
  }
}

interface Wanted {
  kills: number
  seed: number
  secondsMax: number
}

/** Resolves with the number of kills once every write that was begun has its answer. A process is left to ask. */
async function killWhileWriting(
  wanted: Wanted,
  { processes, writers, random }: { processes: QuickProcesses; writers: KeyedWriters; random: () => number },
): Promise<number> {
  const endsAt = performance.now() + wanted.secondsMax * 1000
  let begun = 0
  let kills = 0
  const keepKilling = async () => {
    while (begun < wanted.kills && performance.now() < endsAt) {
      begun += 1
      const victim = await processes.start()
      writers.aim(processes.baseUrls)
      // Its life is measured in answers, not in time: on a busy machine it would die before it has done anything.
      const life = Math.floor(random() * answersMax)
      await until('the victim has answered', () => writers.answeredBy(victim.baseUrl) >= life, startMsMax)
      await sleep(random() * 20)
      await until('requests are in flight', () => writers.inFlightAt(victim.baseUrl) > 0, startMsMax)
      const killed = processes.kill(victim)
      writers.aim(processes.baseUrls)
      await killed
      kills += 1
    }
  }
  try {
    const first = await processes.start()
    writers.aim([first.baseUrl])
    await writers.start()
    await processes.kill(first)
    await Promise.all(Array.from({ length: processCount }, keepKilling))
    await processes.start()
    writers.aim(processes.baseUrls)
    await writers.finish()
    return kills
  } finally {
    writers.giveUp()
  }
}

interface QuickApi {
  process: RunningProcess
  baseUrl: string
}

/** API processes whose modules were compiled beforehand: a run of hundreds of kills is mostly starts. */
class QuickProcesses {
  readonly #settings: Record<string, string>
  readonly #started = new Set<RunningProcess>()
  readonly #answering = new Set<QuickApi>()
  #folder = ''

  constructor(settings: Record<string, string>) {
    this.#settings = settings
  }

  /** Compiled modules are written when a process ends by itself; one that is killed has no time to. */
  async prepare(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'investor-token-compiled-'))
    const first = await this.start()
    await first.process.stop()
    this.#answering.delete(first)
  }

  get baseUrls(): string[] {
    return [...this.#answering].map(({ baseUrl }) => baseUrl)
  }

  async start(): Promise<QuickApi> {
    for (let tries = 1; ; tries++) {
      const ports = { PORT: '0', METRICS_PORT: String(await freePort()) }
      const process = startProcess('api', { ...this.#settings, ...ports, NODE_COMPILE_CACHE: this.#folder })
      this.#started.add(process)
      try {
        const { port } = await process.logged('listening', startMsMax)
        const started = { process, baseUrl: `http://127.0.0.1:${Number(port)}` }
        this.#answering.add(started)
        return started
      } catch (error) {
        // Among hundreds of starts and thousands of connections, the port that was free may be free no longer.
        await process.kill()
        if (tries === 3) throw error
      }
    }
  }

  async kill(victim: QuickApi): Promise<void> {
    this.#answering.delete(victim)
    await victim.process.kill()
    this.#started.delete(victim.process)
  }

  async end(): Promise<void> {
    await Promise.all([...this.#started].map((process) => process.kill()))
    await rm(this.#folder, { recursive: true, force: true })
  }
}
