import type pg from 'pg'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { ChainContext } from '../chain/chain-context.ts'
import { isMintingDue, selectMintableOfferings } from './mint-orders.sql.ts'
import { selectOfferingsWithoutToken } from './offering-token.sql.ts'
import { planMint } from './plan-mint.ts'
import { planToken } from './plan-token.ts'

/** Enqueues the chain ops that open offerings need: the token's deployment, wallet registrations and mints. */
export const planMinting = loop({
  name: 'plan-minting',
  everyMs: 300,
  isDue: ({ chains }: LoopContext & ChainContext) => isMintingDue([...chains.keys()]),
  run: async (context: LoopContext & ChainContext, beat) => {
    if (context.chains.size > 0) await planAllMinting(context.pool, context, beat)
  },
})

export async function planAllMinting(cell: pg.Pool, context: ChainContext, beat = () => {}): Promise<void> {
  const chains = [...context.chains.keys()]
  for (const key of await selectOfferingsWithoutToken(cell, chains))
    await logFailure(context.log, 'a token deployment could not be planned', () => planToken(context, key))
  let hasMore = true
  // Plans one mint per offering and round, so that an offering with many orders delays no other one.
  while (hasMore) {
    beat()
    hasMore = false
    for (const key of await selectMintableOfferings(cell, chains))
      await logFailure(context.log, 'a mint could not be planned', async () => {
        if (await planMint(context, key)) hasMore = true
      })
  }
}
