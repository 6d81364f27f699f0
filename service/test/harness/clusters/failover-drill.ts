import { setTimeout as sleep } from 'node:timers/promises'
import { type Tally, tallyEffects } from '../faults/exactly-once.ts'
import { KeyedWriters, type WriterOptions } from '../faults/keyed-writers.ts'
import { MintingFeed, type MintTally } from '../faults/minting-feed.ts'
import { installCells } from '../installation/cells.ts'
import { asOwner, createTestDatabase, ownerRows } from '../installation/database.ts'
import type { RunningProcess } from '../installation/process.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { seededRandom } from '../seeded-random.ts'
import { until } from '../wait.ts'
import type { FailingCluster, FailoverKind } from './failing-cluster.ts'
import { PromotedPair } from './promoted-pair.ts'

export interface Failover {
  readonly kind: FailoverKind
  /** Longest time between two acknowledged writes. */
  readonly gapMs: number
  /** Time until the former primary followed the new one; a pair commits nothing until then. */
  readonly serverMs: number
}

export interface FailoverDrill {
  failovers: Failover[]
  /** Effects in the cell that fails over. */
  tally: Tally
  writes: number
  /** Responses by status, in the cell that fails over and in the other one. */
  seen: Record<string, number>
  otherSeen: Record<string, number>
  otherInterrupted: number
  /** Messages of all 503 responses in the other cell. */
  otherUnavailable: readonly string[]
  otherTally: Tally
  /** Longest time that a job of the other cell took during the failovers. */
  otherJobMs: number
  isWorkerAlive: boolean
  /** Orders minted meanwhile in the cell that failed over. */
  mints: MintTally
}

/**
 * Runs an API and a worker with two cells on separate servers. One cell fails over again and again while clients write
 * to both: no acknowledged write may be lost or happen twice, and the other cell must not notice.
 */
export async function runFailoverDrill({ kinds, seed, report, size = short }: DrillOptions): Promise<FailoverDrill> {
  const cleanup: (() => unknown)[] = []
  try {
    const database = await createTestDatabase()
    cleanup.push(() => database.drop())
    const cluster = await size.createCluster()
    cleanup.push(() => cluster.remove())
    const cells = new Map([
      ['main', database.url],
      ['east', cluster.url],
    ])
    const installation = await installCells(cells, {
      // Uses the timeouts of production, because the time of a failover depends on them. Other tests use longer ones.
      DATABASE_CONNECT_TIMEOUT_SECONDS: '2',
      DATABASE_LOCK_TIMEOUT_SECONDS: '5',
    })
    cleanup.push(() => installation.end())
    const random = seededRandom(seed)
    const writers = await KeyedWriters.create(installation, random, { cell: 'east', ...size.writers })
    const others = await KeyedWriters.create(installation, random, { clients: 2, pauseMsMax: 200 })
    const feed = await MintingFeed.create(installation, 'east')
    cleanup.push(() => feed.end())
    const api = await installation.startApiProcess()
    const worker = await installation.startWorkerProcess(feed.settings)
    await installation.startIndexerProcess(feed.settings)
    for (const all of [writers, others]) all.setTargets([api.baseUrl])
    const jobs = new JobProbe(database.url, others.tenantId)
    cleanup.push(() => {
      jobs.stop()
      for (const all of [writers, others]) all.abort()
    })
    await jobs.runOne()
    feed.start()
    await Promise.all([writers.start(), others.start()])
    const probing = Promise.all([jobs.run(), jobs.keepBusy(cluster.url, writers.tenantId)])
    const failovers: Failover[] = []
    for (const kind of kinds) {
      await reach(writers, Math.max(writers.acknowledged + writesBefore, (failovers.length + 1) * size.writesPerEvent))
      const failover = await failOver(cluster, writers, kind)
      failovers.push(failover)
      const [gap, servers] = [failover.gapMs, failover.serverMs].map((ms) => `${(ms / 1000).toFixed(1)} s`)
      const slowest = `slowest job of the other cell ${Math.round(jobs.takeLongestMs())} ms`
      report(`${failovers.length}: ${kind}, servers ready after ${servers}, gap ${gap}, ${slowest}`)
    }
    await Promise.all([writers.finish(), others.finish()])
    jobs.stop()
    await probing
    const mints = await feed.finish()
    await worked(cluster.url)
    const judged = await judge(installation, { writers, others, url: cluster.url })
    return { failovers, mints, ...judged, ...stateOf(worker, jobs) }
  } finally {
    for (const step of cleanup.toReversed()) await step()
  }
}

interface DrillOptions {
  readonly kinds: readonly FailoverKind[]
  readonly seed: number
  readonly report: (line: string) => void
  readonly size?: DrillSize
}

export interface DrillSize {
  readonly createCluster: () => Promise<FailingCluster>
  readonly writers: WriterOptions
  /** Average number of acknowledged writes per event; a cluster that recovers slowly needs more. */
  readonly writesPerEvent: number
}

const short: DrillSize = {
  createCluster: () => PromotedPair.create(),
  writers: { clients: 6, pauseMsMax: 100 },
  writesPerEvent: 60,
}
const writesBefore = 60

async function reach(writers: KeyedWriters, count: number): Promise<void> {
  await until(`${count} writes are acknowledged`, () => writers.acknowledged >= count, 180_000)
}

/** Fails over once in the middle of writes, and waits until writes are acknowledged again. */
async function failOver(cluster: FailingCluster, writers: KeyedWriters, kind: FailoverKind): Promise<Failover> {
  const startedAt = performance.now()
  await cluster.fail(kind)
  const serverMs = performance.now() - startedAt
  await reach(writers, writers.acknowledged + 5)
  const times = writers.acknowledgedAt
  const gaps = times.map((at, index) => (at > startedAt ? at - (times[index - 1] ?? at) : 0))
  return { kind, gapMs: gaps.reduce((longest, gap) => Math.max(longest, gap), 0), serverMs }
}

/** Runs jobs of the other cell, one after the other. */
class JobProbe {
  longestMs = 0
  #longestMsSince = 0
  readonly #url: string
  readonly #tenantId: string
  #isStopped = false

  constructor(url: string, tenantId: string) {
    this.#url = url
    this.#tenantId = tenantId
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Returns the longest time since the last call. */
  takeLongestMs(): number {
    const longestMs = this.#longestMsSince
    this.#longestMsSince = 0
    return longestMs
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const tookMs = await this.runOne()
      this.#longestMsSince = Math.max(this.#longestMsSince, tookMs)
      this.longestMs = Math.max(this.longestMs, tookMs)
      await sleep(200)
    }
  }

  /** Keeps the worker busy in the cell that fails over, so that jobs end while the primary fails. */
  async keepBusy(url: string, tenantId: string): Promise<void> {
    while (!this.#isStopped)
      await asOwner(url, async (client) => {
        while (!this.#isStopped) {
          await client.query(addJobs, [payloadOf(tenantId)])
          await sleep(50)
        }
      }).catch(() => sleep(100))
  }

  async runOne(): Promise<number> {
    const startedAt = performance.now()
    await asOwner(this.#url, async (client) => {
      const { rows } = await client.query(addJob, [payloadOf(this.#tenantId)])
      const job = 'select from graphile_worker._private_jobs where id = $1'
      await until('the job is done', async () => (await client.query(job, [rows[0].id])).rowCount === 0)
    })
    return performance.now() - startedAt
  }
}

const addJob = `select id from graphile_worker.add_job('check-mint-preconditions', $1::json)`
const addJobs = `select graphile_worker.add_job('check-mint-preconditions', $1::json) from generate_series(1, 3)`
const payloadOf = (tenantId: string) => JSON.stringify({ tenant_id: tenantId, account_id: crypto.randomUUID() })

/** Waits until the worker has done all queued work of the cell that failed over. */
async function worked(url: string): Promise<void> {
  let left: unknown[] = []
  const isEmpty = async () => {
    left = await ownerRows(url, queuedWork)
    return left.length === 0
  }
  await until('the worker has caught up', isEmpty).catch((error: Error) => {
    throw new Error(`${error.message}; left are ${JSON.stringify(left)}`)
  })
}

const queuedWork = `
  select 'job' as kind, jsonb_build_object('id', job.id, 'task', task.identifier, 'attempts', job.attempts,
    'locked_by', job.locked_by, 'locked_at', job.locked_at, 'last_error', job.last_error) as work
  from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
  where run_at <= now()
  union all select 'event', to_jsonb(event) from cell.event_outbox event
  limit 10`

async function judge(
  installation: TestInstallation,
  { writers, others, url }: { writers: KeyedWriters; others: KeyedWriters; url: string },
) {
  await writers.replayAll()
  return {
    tally: await tallyEffects(installation, writers, url),
    writes: writers.writes.length,
    seen: Object.fromEntries(writers.seen),
    otherTally: await tallyEffects(installation, others),
    otherSeen: Object.fromEntries(others.seen),
    otherInterrupted: others.interrupted,
    otherUnavailable: others.unavailable,
  }
}

function stateOf(worker: RunningProcess, { longestMs }: JobProbe): { isWorkerAlive: boolean; otherJobMs: number } {
  const isStopping = worker.output.some((line) => line.includes('"msg":"stopping"'))
  return { isWorkerAlive: !isStopping && isRunning(worker.pid), otherJobMs: longestMs }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
