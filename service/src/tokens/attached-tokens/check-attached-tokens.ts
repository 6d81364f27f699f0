import type pg from 'pg'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { ChainContext } from '../chain/chain-context.ts'
import { areTokensUnchecked, selectUncheckedTokens } from './attached-token.sql.ts'
import { checkAttachedToken } from './check-attached-token.ts'

/** Checks the tokens that operators attached to drafts. */
export const checkAttachedTokens = loop({
  name: 'check-attached-tokens',
  everyMs: 300,
  isDue: ({ chains }: LoopContext & ChainContext) => areTokensUnchecked([...chains.keys()]),
  run: async (context: LoopContext & ChainContext) => {
    if (context.chains.size > 0) await checkAllAttachedTokens(context.pool, context)
  },
})

export async function checkAllAttachedTokens(cell: pg.Pool, context: ChainContext): Promise<void> {
  for (const key of await selectUncheckedTokens(cell, [...context.chains.keys()]))
    await logFailure(context.log, 'an attached token could not be checked', () => checkAttachedToken(context, key))
}
