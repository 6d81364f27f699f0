// Kills the operator API during confirmations, see service/test/harness/faults/approval-kills.ts: `npm run drill --
// crash-approvals --kills 50`
import { numberOptions } from '../../bench/number-options.ts'
import { killConfirmations } from '../../service/test/harness/faults/approval-kills.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const options = numberOptions({ kills: 50, seed: newSeed() })
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${options.seed}`)
const { kills, complete, absent, problems } = await killConfirmations(options)
for (const problem of problems.slice(0, 20)) print(`PROBLEM ${problem}`)
print(`kills ${kills}, complete ${complete}, absent ${absent}, problems ${problems.length}`)
process.exitCode = problems.length === 0 && kills === complete + absent ? 0 : 1
