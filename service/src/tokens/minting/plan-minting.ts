import type pg from 'pg'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { Settlement } from '../chain-ops/settlement.ts'
import { listMintableOfferings, listTokenlessOfferings } from './mint-orders.sql.ts'
import { planMint } from './plan-mints.ts'
import { planToken } from './plan-token.ts'

/** Enqueues the chain ops that open offerings need: the deployment of a token, and mints of orders that are ready. */
export const planMinting = loop({
  name: 'plan-minting',
  everyMs: 300,
  run: async (context: LoopContext & Settlement) => {
    if (context.chains.size > 0) await planAllMinting(context.pool, context)
  },
})

export async function planAllMinting(cell: pg.Pool, settlement: Settlement): Promise<void> {
  const chains = [...settlement.chains.keys()]
  for (const key of await listTokenlessOfferings(cell, chains))
    await logFailure(settlement.log, 'a token deployment could not be planned', () => planToken(settlement, key))
  for (const key of await listMintableOfferings(cell, chains))
    await logFailure(settlement.log, 'a mint could not be planned', async () => {
      while (await planMint(settlement, key));
    })
}
