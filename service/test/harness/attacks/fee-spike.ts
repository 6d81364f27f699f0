import { setTimeout as sleep } from 'node:timers/promises'
import { formatGwei, parseTransaction } from 'viem'
import type { Attack } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'

const baseFeeGwei = 20_000n
const feeMaxGwei = 500n
const waitMs = 6_000

/** A spike, or a node that lies, would empty the gas money of a tenant. */
export const feeSpike: Attack = {
  name: `a base fee of ${baseFeeGwei} gwei`,
  run: async (stack) => {
    const attacked = await ChainUnderAttack.create(stack)
    const { chain } = attacked
    try {
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(baseFeeGwei * 10n ** 9n).toString(16)}`)
      await chain.mine()
      await attacked.startWorker()
      await sleep(waitMs)
      if ((await attacked.world.ops()).length === 0) throw new Error('the worker did not try to mint')
      const fees = (await attacked.signedTransactions()).map(({ raw }) => parseTransaction(raw).maxFeePerGas ?? 0n)
      const highest = fees.reduce((one, other) => (one > other ? one : other), 0n)
      const observed = fees.length > 0 ? `signed a fee of ${formatGwei(highest)} gwei` : 'nothing was signed'
      return { isDefended: highest <= feeMaxGwei * 10n ** 9n, observed }
    } finally {
      await attacked.end()
    }
  },
}
