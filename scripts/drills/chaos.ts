// Kills workers and indexers while a chain misbehaves, then compares the minted tokens with the orders.
import { parseArgs } from 'node:util'
import { runChaos } from '../../service/test/harness/faults/chaos-settlement.ts'

const { values: flags } = parseArgs({
  options: {
    orders: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '900' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
  },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)
const options = {
  orders: Number(flags.orders),
  wallets: 20,
  kills: Number(flags.kills),
  workers: 4,
  indexers: 2,
  blockSeconds: 1,
  isDeployedFirst: false,
  secondsMax: Number(flags.seconds),
  seed: Number(flags.seed),
}
print(`seed ${options.seed}`)
const result = await runChaos(options, print)
for (const problem of result.problems) print(`PROBLEM ${problem}`)
const { kills, freezes, mempoolDrops, reorgs, seconds, alarms } = result
print(
  `kills ${kills}, freezes ${freezes}, mempool drops ${mempoolDrops}, reorgs ${reorgs}, alarms ${alarms}, ` +
    `${Math.round(seconds)} s, seed ${options.seed}`,
)
print(`minted ${result.minted} of ${result.orders}, minted twice ${result.mintedTwice}, lost ${result.lost}`)
process.exitCode = result.problems.length > 0 || kills < options.kills ? 1 : 0
