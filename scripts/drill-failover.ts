// A cell fails over under load, see service/test/harness/failover-drill.ts: `npm run drill:failover -- --events 20`
import { parseArgs } from 'node:util'
import { percentile } from '../bench/percentile.ts'
import { type FailoverKind, runFailoverDrill } from '../service/test/harness/failover-drill.ts'
import { replicationIsImpossible } from '../service/test/harness/replicated-postgres.ts'
import { newSeed } from '../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
if (replicationIsImpossible !== false) throw new Error(replicationIsImpossible)

// Of five events two are kills, two lost machines, one is planned.
const order: readonly FailoverKind[] = ['killed', 'lost', 'planned', 'killed', 'lost']
const kinds = Array.from({ length: Number(values.events) }, (_, index) => order[index % order.length] ?? 'killed')
print(`seed ${values.seed}`)
const drill = await runFailoverDrill({ kinds, seed: Number(values.seed), report: print })

const { tally, otherTally, otherSeen, otherInterrupted } = drill
const problems = [...tally.problems, ...otherTally.problems, ...drill.mints.problems]
if (!drill.isWorkerAlive) problems.push('the worker has stopped')
const otherFailures = (otherSeen['503 unavailable'] ?? 0) + otherInterrupted
if (otherFailures > 0) problems.push(`${otherFailures} requests to the other cell failed`)
for (const problem of problems) print(`PROBLEM ${problem}`)
print(`minted ${drill.mints.minted} orders meanwhile, lost ${drill.mints.lost}, doubled ${drill.mints.doubled}`)
print(`responses ${JSON.stringify(drill.seen)}, slowest job of the other cell ${Math.round(drill.otherJobMs)} ms`)

const gapOf = (wanted: FailoverKind) => {
  const gaps = drill.failovers.filter(({ kind }) => kind === wanted).map(({ gapMs }) => gapMs)
  return gaps.length > 0 ? `${(percentile(gaps, 0.99) / 1000).toFixed(1)} s ${wanted}` : `none ${wanted}`
}
const lost = tally.lost + otherTally.lost + drill.mints.lost
const doubled = tally.duplicates + otherTally.duplicates + drill.mints.doubled
print(
  `failovers ${drill.failovers.length}, writes ${drill.writes}, lost ${lost}, doubled ${doubled}, ` +
    `gap p99 ${gapOf('killed')}, ${gapOf('lost')}, ${gapOf('planned')}`,
)
process.exitCode = problems.length + lost + doubled > 0 ? 1 : 0
