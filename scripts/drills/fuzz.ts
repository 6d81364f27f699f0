// Sends random requests to both APIs, see service/test/harness/fuzz/fuzz-run.ts: `npm run drill -- fuzz --requests 100000`
import { numberOptions } from '../../bench/number-options.ts'
import { fuzzRun } from '../../service/test/harness/fuzz/fuzz-run.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const options = numberOptions({ requests: 10_000, seed: newSeed() })
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${options.seed}`)
const { apis, seconds } = await fuzzRun(options)
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
process.exitCode = isClean && total === options.requests ? 0 : 1
