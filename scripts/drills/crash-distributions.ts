// Kills workers during a redemption, see service/test/harness/faults/distribution-kills.ts: `npm run drill --
// crash-distributions --kills 50`
import { parseArgs } from 'node:util'
import { killDistribution } from '../../service/test/harness/faults/distribution-kills.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    // More than one batch of the calculation, which is 2,000 holders, and three files.
    holders: { type: 'string', default: '2050' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${values.seed}`)
const wanted = { kills: Number(values.kills), holders: Number(values.holders) }
const { kills, entitlements, paidTwice, missing, burntTwice } = await killDistribution({
  ...wanted,
  seed: Number(values.seed),
})
print(
  `kills ${kills}, entitlements ${entitlements}, paid twice ${paidTwice}, missing ${missing}, burnt twice ${burntTwice}`,
)
const isRight = kills === wanted.kills && entitlements === wanted.holders && paidTwice + missing + burntTwice === 0
process.exitCode = isRight ? 0 : 1
