// Kills workers during a redemption, see service/test/harness/faults/distribution-kills.ts: `npm run drill --
// crash-distributions --kills 50`
import { numberOptions } from '../../bench/number-options.ts'
import { killDistribution } from '../../service/test/harness/faults/distribution-kills.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

// More than one batch of the calculation, which is 2,000 holders, and three files.
const options = numberOptions({ kills: 50, holders: 2_050, seed: newSeed() })
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${options.seed}`)
const { kills, entitlements, paidTwice, missing, burntTwice } = await killDistribution(options)
print(
  `kills ${kills}, entitlements ${entitlements}, paid twice ${paidTwice}, missing ${missing}, burnt twice ${burntTwice}`,
)
const isRight = kills === options.kills && entitlements === options.holders && paidTwice + missing + burntTwice === 0
process.exitCode = isRight ? 0 : 1
