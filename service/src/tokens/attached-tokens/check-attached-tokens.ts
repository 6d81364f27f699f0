import type pg from 'pg'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { Settlement } from '../chain-ops/settlement.ts'
import { listWantedTokens } from './attached-token.sql.ts'
import { checkWantedToken } from './check-attached-token.ts'

/** Checks contracts that operators attached to an offering before the offering uses them. */
export const checkAttachedTokens = loop({
  name: 'check-attached-tokens',
  everyMs: 300,
  run: async (context: LoopContext & Settlement) => {
    if (context.chains.size > 0) await checkAllAttachedTokens(context.pool, context)
  },
})

export async function checkAllAttachedTokens(cell: pg.Pool, settlement: Settlement): Promise<void> {
  for (const key of await listWantedTokens(cell, [...settlement.chains.keys()]))
    await logFailure(settlement.log, 'an attached token could not be checked', () => checkWantedToken(settlement, key))
}
