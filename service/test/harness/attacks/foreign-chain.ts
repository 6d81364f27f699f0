import { setTimeout as sleep } from 'node:timers/promises'
import { parseTransaction } from 'viem'
import type { Attack } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'

const foreignChainId = 1
const waitMs = 6_000

/** A transaction signed for another chain can be replayed there. */
export const foreignChain: Attack = {
  name: 'a node that belongs to another chain',
  run: async (stack) => {
    const attacked = await ChainUnderAttack.create(stack)
    try {
      await attacked.chain.rpc('anvil_setChainId', foreignChainId)
      await attacked.startWorker()
      await sleep(waitMs)
      const signed = (await attacked.signedTransactions()).map(({ raw }) => parseTransaction(raw).chainId)
      const observed = signed.length > 0 ? `signed for chain ${signed[0]}` : 'nothing was signed'
      return { isDefended: !signed.includes(foreignChainId), observed }
    } finally {
      await attacked.end()
    }
  },
}
