// Idempotency under crashes, see service/test/harness/crash-run.ts: `npm run crash -- --kills 200 --seconds 600`
import { parseArgs } from 'node:util'
import { crashRun } from '../service/test/harness/crash-run.ts'
import { newSeed } from '../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

say(`seed ${values.seed}`)
const { writers, kills, replays, seconds, duplicates, lost, problems } = await crashRun({
  kills: Number(values.kills),
  seed: Number(values.seed),
  secondsMax: Number(values.seconds),
})
const { writes, seen, cut, recovered } = writers
const slowestMs = Math.max(...writes.map(({ answer }) => answer?.afterMs ?? 0))
say(
  `${kills} kills in ${Math.round(seconds)} s cut ${cut} requests; the slowest write took ${Math.round(slowestMs)} ms`,
)
say(`${recovered} writes were done but their answer was lost: the answer came with a later attempt`)
say(`answers: ${[...seen].map(([name, count]) => `${count} x ${name}`).join(', ')}`)
for (const problem of problems.slice(0, 20)) say(`PROBLEM ${problem}`)
if (problems.length > 20) say(`and ${problems.length - 20} more problems`)
say(`kills ${kills}, writes ${writes.length}, replays ${replays}, duplicates ${duplicates}, lost ${lost}`)
const isRight = problems.length === 0 && duplicates === 0 && lost === 0 && replays === writes.length
process.exitCode = isRight ? 0 : 1
