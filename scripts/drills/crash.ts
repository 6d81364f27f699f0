// Tests idempotency under crashes, see service/test/harness/faults/crash-run.ts: `npm run drill -- crash --kills 200
// --seconds 600`
import { numberOptions } from '../../bench/number-options.ts'
import { crashRun } from '../../service/test/harness/faults/crash-run.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const options = numberOptions({ kills: 200, seconds: 600, seed: newSeed() })
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${options.seed}`)
const { writers, kills, replays, seconds, duplicates, lost, problems } = await crashRun({
  ...options,
  secondsMax: options.seconds,
})
const { writes, seen, interrupted, recovered } = writers
const slowestMs = Math.max(...writes.map(({ response }) => response?.afterMs ?? 0))
print(`${kills} kills in ${Math.round(seconds)} s interrupted ${interrupted} requests`)
print(`the slowest write took ${Math.round(slowestMs)} ms`)
print(`${recovered} writes had lost their response and got it from a later attempt`)
print(`responses: ${[...seen].map(([name, count]) => `${count} x ${name}`).join(', ')}`)
for (const problem of problems.slice(0, 20)) print(`PROBLEM ${problem}`)
if (problems.length > 20) print(`and ${problems.length - 20} more problems`)
print(`kills ${kills}, writes ${writes.length}, replays ${replays}, duplicates ${duplicates}, lost ${lost}`)
const isRight = problems.length === 0 && duplicates === 0 && lost === 0 && replays === writes.length
process.exitCode = isRight ? 0 : 1
