// Kills workers and indexers while a chain misbehaves, then compares the minted tokens with the orders.
import { numberOptions } from '../../bench/number-options.ts'
import { runChaos } from '../../service/test/harness/faults/chaos-settlement.ts'
import { newSeed } from '../../service/test/harness/seeded-random.ts'

const {
  orders,
  kills: wanted,
  seconds: secondsMax,
  seed,
} = numberOptions({
  orders: 5_000,
  kills: 200,
  seconds: 900,
  seed: newSeed(),
})
const print = (line: string) => void process.stdout.write(`${line}\n`)
const options = {
  orders,
  wallets: 20,
  kills: wanted,
  workers: 4,
  indexers: 2,
  blockSeconds: 1,
  isDeployedFirst: false,
  secondsMax,
  seed,
}
print(`seed ${seed}`)
const result = await runChaos(options, print)
for (const problem of result.problems) print(`PROBLEM ${problem}`)
const { kills, freezes, mempoolDrops, reorgs, seconds, alarms } = result
print(
  `kills ${kills}, freezes ${freezes}, mempool drops ${mempoolDrops}, reorgs ${reorgs}, alarms ${alarms}, ` +
    `${Math.round(seconds)} s, seed ${seed}`,
)
print(`minted ${result.minted} of ${result.orders}, minted twice ${result.mintedTwice}, lost ${result.lost}`)
process.exitCode = result.problems.length > 0 || kills < wanted ? 1 : 0
