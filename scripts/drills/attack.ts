// Replays known attacks against a whole installation, see service/test/harness/attacks/attack-run.ts: `npm run drill --
// attack --short`
import { parseArgs } from 'node:util'
import { attackLine, replayAttacks } from '../../service/test/harness/attacks/attack-run.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    /** Runs only the attacks whose name contains this text. */
    only: { type: 'string' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

const replayed = await replayAttacks({ isShort: values.short, only: values.only }, (attack) =>
  print(attackLine(attack)),
)
const defended = replayed.filter(({ isDefended }) => isDefended).length
print(`attacks ${replayed.length}, held ${defended}`)
process.exitCode = defended === replayed.length && replayed.length > 0 ? 0 : 1
