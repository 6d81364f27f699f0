// Restores to random moments, see deploy/test/restore/restore-drill.ts: `npm run drill -- restore --times 10`
import { parseArgs } from 'node:util'
import { restoreIsImpossible } from '../../deploy/test/restore/backed-up-server.ts'
import { runRestoreDrill } from '../../deploy/test/restore/restore-drill.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(newSeed()) },
    steps: { type: 'boolean', default: false },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
if (restoreIsImpossible !== false) throw new Error(restoreIsImpossible)

let failed = 0
for (let run = 0; run < Number(values.times); run += 1) {
  const seed = Number(values.seed) + run
  print(`run ${run + 1}, seed ${seed}`)
  const report = values.steps ? print : () => {}
  const result = await runRestoreDrill({ seed, seconds: Number(values.seconds), report })
  const { problems, restoreSeconds, afterRestoreSeconds, openSeconds, ...counts } = result
  print(
    `  ${Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  )
  const [restore, prepare, open] = [restoreSeconds, afterRestoreSeconds, openSeconds].map((one) => one.toFixed(1))
  print(`  restore ${restore} s, after-restore ${prepare} s, serving again after ${open} s`)
  for (const problem of problems) print(`  PROBLEM ${problem}`)
  failed += problems.length > 0 ? 1 : 0
}
print(`${values.times} restores, ${failed} with problems`)
process.exitCode = failed > 0 ? 1 : 0
