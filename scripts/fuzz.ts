// Sends random requests to the API, see service/test/harness/fuzz-run.ts: `npm run fuzz -- --requests 100000`
import { parseArgs } from 'node:util'
import { fuzzRun } from '../service/test/harness/fuzz-run.ts'
import { newSeed } from '../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${values.seed}`)
const run = await fuzzRun({ requests: Number(values.requests), seed: Number(values.seed) })
for (const failure of run.failures) print(`FAILURE ${failure}\n`)
print(`${Math.round(run.seconds)} s, ${Math.round(run.requests / run.seconds)} requests a second`)
for (const [status, count] of [...run.statuses].toSorted(([one], [other]) => one - other)) print(`${status}: ${count}`)
print(`requests ${run.requests}, 5xx ${run.serverErrors}, invalid responses ${run.invalidResponses}`)
process.exitCode = run.failures.length === 0 && run.requests === Number(values.requests) ? 0 : 1
