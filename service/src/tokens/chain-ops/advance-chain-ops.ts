import pLimit from 'p-limit'
import type pg from 'pg'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { advanceOp } from './advance-op.ts'
import type { ChainOpKey } from './chain-op.sql.ts'
import { listDueOps } from './chain-op-life.sql.ts'
import type { Settlement } from './settlement.ts'

const dueMax = 64
/** Chain ops of one process that talk to nodes concurrently. */
const concurrencyMax = 8

/** Advances the chain ops of a cell that are due. */
export const advanceChainOps = loop({
  name: 'advance-chain-ops',
  everyMs: 200,
  run: async (context: LoopContext & Settlement) => {
    if (context.chains.size > 0) await advanceAll(context.pool, context)
  },
})

export async function advanceAll(cell: pg.Pool, settlement: Settlement): Promise<void> {
  const due = await listDueOps(cell, [...settlement.chains.keys()], settlement.clock(), dueMax)
  const limit = pLimit(concurrencyMax)
  await Promise.all(due.map((key) => limit(() => advanceOrLog(settlement, key))))
}

/** A node that does not respond is expected now and then, and needs no stack trace. */
function advanceOrLog(settlement: Settlement, key: ChainOpKey): Promise<void> {
  return logFailure(settlement.log, 'a chain op could not be advanced', async () => {
    try {
      await advanceOp(settlement, key)
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      settlement.log.debug({ chain_op_id: key.opId, tenant_id: key.tenantId }, 'the node does not respond; retrying')
    }
  })
}
