// Makes a cell fail over under load, see service/test/harness/clusters/failover-drill.ts: `npm run drill -- failover
// --events 20`. With --patroni: three simulated machines with Patroni, etcd and HAProxy instead of two servers.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from '../../bench/percentile.ts'
import type { FailoverKind } from '../../service/test/harness/clusters/failing-cluster.ts'
import {
  type DrillSize,
  type FailoverDrill,
  runFailoverDrill,
} from '../../service/test/harness/clusters/failover-drill.ts'
import { machinesAreImpossible } from '../../service/test/harness/clusters/machine.ts'
import { PatroniCluster } from '../../service/test/harness/clusters/patroni-cluster.ts'
import { type PatroniPackages, unpackPatroni } from '../../service/test/harness/clusters/patroni-packages.ts'
import { replicationIsImpossible } from '../../service/test/harness/clusters/replicated-postgres.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20' },
    patroni: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
if (replicationIsImpossible !== false) throw new Error(replicationIsImpossible)

/** Class of each kind in the last line. */
const classOf = { killed: 'killed', lost: 'lost', frozen: 'lost', cut: 'lost', planned: 'planned' } as const
/** Applies with Patroni only: the gap of a pair is mostly the time of pg_rewind, which depends on the machine. */
const gapSecondsMax = { killed: 8, lost: 25, planned: 6 }

const folder = await mkdtemp(join(tmpdir(), 'investor-token-packages-'))
try {
  const packages = values.patroni ? await patroniPackages() : undefined
  const order: readonly FailoverKind[] = packages
    ? ['killed', 'lost', 'frozen', 'planned', 'cut']
    : ['killed', 'frozen', 'planned', 'killed', 'frozen']
  const kinds = Array.from({ length: Number(values.events) }, (_, index) => order[index % order.length] ?? 'killed')
  print(`seed ${values.seed}`)
  const size = packages && { size: patroniSize(packages) }
  judge(await runFailoverDrill({ kinds, seed: Number(values.seed), report: print, ...size }), Boolean(packages))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function patroniPackages(): Promise<PatroniPackages | undefined> {
  try {
    if (machinesAreImpossible !== false) throw new Error(machinesAreImpossible)
    return await unpackPatroni(folder)
  } catch (error) {
    print(`no drill with Patroni: ${(error as Error).message}`)
    print('drill with two servers instead')
    return undefined
  }
}

function patroniSize(packages: PatroniPackages): DrillSize {
  const createCluster = () => PatroniCluster.create(packages)
  return { createCluster, writers: { clients: 8, perSecond: 60 }, writesPerEvent: 500 }
}

function judge(drill: FailoverDrill, hasLimits: boolean): void {
  const { tally, otherTally, otherInterrupted, otherUnavailable, mints } = drill
  const problems = [...tally.problems, ...otherTally.problems, ...mints.problems]
  if (!drill.isWorkerAlive) problems.push('the worker has stopped')
  for (const message of otherUnavailable) problems.push(`the other cell was unavailable: ${message}`)
  if (otherInterrupted > 0) problems.push(`${otherInterrupted} requests to the other cell were interrupted`)
  const gaps = (['killed', 'lost', 'planned'] as const).map((name) => {
    const all = drill.failovers.filter(({ kind }) => classOf[kind] === name).map(({ gapMs }) => gapMs / 1_000)
    const seconds = all.length > 0 ? percentile(all, 0.99) : undefined
    if (hasLimits && (seconds ?? 0) > gapSecondsMax[name])
      problems.push(`the gap ${name} exceeds ${gapSecondsMax[name]} s`)
    return seconds === undefined ? `none ${name}` : `${seconds.toFixed(1)} s ${name}`
  })
  for (const problem of problems) print(`PROBLEM ${problem}`)
  print(`minted ${mints.minted} orders meanwhile, lost ${mints.lost}, doubled ${mints.doubled}`)
  print(`responses ${JSON.stringify(drill.seen)}, slowest job of the other cell ${Math.round(drill.otherJobMs)} ms`)
  const lost = tally.lost + otherTally.lost + mints.lost
  const doubled = tally.duplicates + otherTally.duplicates + mints.doubled
  print(
    `failovers ${drill.failovers.length}, writes ${drill.writes}, lost ${lost}, doubled ${doubled}, ` +
      `gap p99 ${gaps.join(', ')}`,
  )
  process.exitCode = problems.length + lost + doubled > 0 ? 1 : 0
}
