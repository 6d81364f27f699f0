// Upgrades an installation under load, see deploy/test/upgrade/upgrade-drill.ts: `npm run drill -- upgrade`
import { upgradeIsImpossible } from '../../deploy/test/upgrade/load-balancer.ts'
import { runUpgradeDrill } from '../../deploy/test/upgrade/upgrade-drill.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
if (upgradeIsImpossible !== false) throw new Error(upgradeIsImpossible)

const { requests, failures, orders, mintedOnChain, mintedTwice, lost } = await runUpgradeDrill({
  buyers: 6,
  report: print,
})
for (const failure of [...failures, ...lost]) print(`PROBLEM ${failure}`)
print(
  `requests ${requests}, failed ${failures.length}, orders ${orders}, minted ${mintedOnChain}, minted twice ` +
    `${mintedTwice}, lost ${lost.length}`,
)
process.exitCode = failures.length + mintedTwice + lost.length > 0 ? 1 : 0
