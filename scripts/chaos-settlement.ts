// Kills submitters and indexers while a chain misbehaves, and holds what was minted against what was ordered.
import { parseArgs } from 'node:util'
import { chaosRun } from '../service/test/harness/chaos-settlement.ts'

const { values: flags } = parseArgs({
  options: {
    orders: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '900' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const wanted = {
  orders: Number(flags.orders),
  kills: Number(flags.kills),
  secondsMax: Number(flags.seconds),
  seed: Number(flags.seed),
}
say(`seed ${wanted.seed}`)
const result = await chaosRun(wanted, say)
for (const problem of result.problems) say(`PROBLEM ${problem}`)
const { kills, freezes, drops, reorganisations, seconds, alarms } = result
say(
  `kills ${kills}, freezes ${freezes}, mempools lost ${drops}, reorganisations ${reorganisations}, ` +
    `alarms ${alarms}, ${Math.round(seconds)} s, seed ${wanted.seed}`,
)
say(`minted ${result.minted} of ${result.orders}, doubled ${result.doubled}, lost ${result.lost}`)
process.exitCode = result.problems.length > 0 || kills < wanted.kills ? 1 : 0
