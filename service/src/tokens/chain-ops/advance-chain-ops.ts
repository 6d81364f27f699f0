import pLimit from 'p-limit'
import type pg from 'pg'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { advanceOp } from './advance-op.ts'
import type { ChainOpKey } from './chain-op.sql.ts'
import type { ChainOpContext } from './chain-op-context.ts'
import { selectDueOps } from './chain-op-engine.sql.ts'

const dueMax = 64
/** Chain ops that one process advances concurrently. */
const concurrencyMax = 8

/** Advances the due chain ops of a cell. */
export const advanceChainOps = loop({
  name: 'advance-chain-ops',
  everyMs: 200,
  run: async (context: LoopContext & ChainOpContext) => {
    if (context.chains.size > 0) await advanceDueOps(context.pool, context)
  },
})

export async function advanceDueOps(cell: pg.Pool, context: ChainOpContext): Promise<void> {
  const due = await selectDueOps(cell, [...context.chains.keys()], context.clock(), dueMax)
  const limit = pLimit(concurrencyMax)
  await Promise.all(due.map((key) => limit(() => advanceOrLog(context, key))))
}

/** A node that does not respond is expected now and then, and needs no stack trace. */
function advanceOrLog(context: ChainOpContext, key: ChainOpKey): Promise<void> {
  return logFailure(context.log, 'a chain op could not be advanced', async () => {
    try {
      await advanceOp(context, key)
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      context.log.debug({ chain_op_id: key.opId, tenant_id: key.tenantId }, 'the node does not respond; retrying')
    }
  })
}
