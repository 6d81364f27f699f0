import pLimit from 'p-limit'
import type pg from 'pg'
import { counter } from '../../platform/base/metric.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { advanceOp } from './advance-op.ts'
import type { ChainOpContext } from './chain-op-context.ts'
import { areOpsDue, type DueOp, selectDueOps } from './chain-op-engine.sql.ts'

/** Small, so that an op that becomes due waits less than a second for the ops of other tenants. */
const dueMax = 32
/** Chain ops that one process advances concurrently. */
const concurrencyMax = 8

export const advanceChainOps = loop({
  name: 'advance-chain-ops',
  everyMs: 200,
  isDue: ({ chains }: LoopContext & ChainOpContext) => areOpsDue([...chains.keys()]),
  run: async (context: LoopContext & ChainOpContext) => {
    if (context.chains.size > 0) await advanceDueOps(context.pool, context)
  },
})

export async function advanceDueOps(cell: pg.Pool, context: ChainOpContext): Promise<void> {
  const due = await selectDueOps(cell, [...context.chains.keys()], context.clock(), dueMax)
  const limit = pLimit(concurrencyMax)
  await Promise.all(due.map((op) => limit(() => advanceOrLog(context, op))))
}

/** Counts a failure, which is retried later. Reports a node that does not respond once for all ops of its chain. */
async function advanceOrLog(context: ChainOpContext, { chain, ...key }: DueOp): Promise<void> {
  try {
    await advanceOp(context, key)
  } catch (error) {
    const isNode = error instanceof ChainUnavailable
    failures.add(1, { cell: context.cell ?? '', chain, reason: isNode ? 'node' : 'error' })
    const fields = { chain, chain_op_id: key.opId, tenant_id: key.tenantId }
    if (isNode) reportNode(context, chain)
    else context.log.warn({ ...fields, err: error }, 'a chain op could not be advanced; retrying')
  }
}

/** Time of a node's last failure by cell and chain, for each worker of the process. */
const failedAtOf = new WeakMap<ChainOpContext['chains'], Map<string, number>>()
const outageEndsMs = 60_000

/** Logs one line per outage: ops that wait for something else still succeed in between. */
function reportNode({ cell = '', chains, log }: ChainOpContext, chain: string): void {
  const failedAt = failedAtOf.get(chains) ?? new Map<string, number>()
  failedAtOf.set(chains, failedAt)
  const key = `${cell} ${chain}`
  const now = performance.now()
  const isNew = now - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) > outageEndsMs
  failedAt.set(key, now)
  if (isNew) log.warn({ chain }, 'settlement stands still: chain ops wait for a node that does not respond')
}

const failures = counter('chain_op_failures', {
  description: 'Steps of chain ops that failed and are retried: `node` does not respond, or another `error`',
  labels: ['cell', 'chain', 'reason'],
})

/** Called once for each chain and cell. */
export function startCountingOpFailures(labels: { chain: string; cell: string }): void {
  for (const reason of ['node', 'error']) failures.add(0, { ...labels, reason })
}
