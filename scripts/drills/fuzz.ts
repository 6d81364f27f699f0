// Sends random requests to both APIs, see service/test/harness/fuzz/fuzz-run.ts: `npm run drill -- fuzz --requests 100000`
import { parseArgs } from 'node:util'
import { fuzzRun } from '../../service/test/harness/fuzz/fuzz-run.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${values.seed}`)
const wanted = Number(values.requests)
const { apis, seconds } = await fuzzRun({ requests: wanted, seed: Number(values.seed) })
const total = apis.reduce((sum, { requests }) => sum + requests, 0)
for (const failure of apis.flatMap(({ failures }) => failures)) print(`FAILURE ${failure}\n`)
print(`${Math.round(seconds)} s, ${Math.round(total / seconds)} requests a second`)
for (const { name, requests, serverErrors, invalidResponses, statuses, neverSucceeded } of apis) {
  const counts = [...statuses].toSorted(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`)
  print(`${name} API: ${counts.join(', ')}`)
  if (neverSucceeded.size > 0) print(`${name} API: without a successful request: ${[...neverSucceeded].join(', ')}`)
  print(`${name} API: requests ${requests}, 5xx ${serverErrors}, invalid responses ${invalidResponses}`)
}
const isClean = apis.every(
  ({ failures, serverErrors, invalidResponses }) => failures.length + serverErrors + invalidResponses === 0,
)
process.exitCode = isClean && total === wanted ? 0 : 1
