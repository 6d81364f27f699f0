import type pg from 'pg'
import { type Repetition, repeat } from '../base/repeat.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { advanceOp } from './advance-op.ts'
import type { ChainOpKey } from './chain-op.sql.ts'
import { listDueOps } from './chain-op-life.sql.ts'
import { checkWantedToken } from './check-wanted-token.ts'
import { listMintableOfferings, listTokenlessOfferings } from './mint-orders.sql.ts'
import { planMint } from './plan-mints.ts'
import { planToken } from './plan-token.ts'
import { reconcileAll } from './reconcile.ts'
import type { Settlement } from './settlement.ts'
import { listWantedTokens } from './wanted-token.sql.ts'

const planMs = 300
const advanceMs = 200
const reconcileMs = 60_000
const dueMax = 64
/** So many ops of a process talk to nodes at the same time. */
const lanes = 8

/** Settles what a cell has to settle, until it is stopped. Any number of processes may. */
export function startSettlement(cell: pg.Pool, settlement: Settlement): Repetition[] {
  if (settlement.chains.size === 0) return []
  return [
    repeat(planMs, () => logged(settlement, 'mints could not be planned', () => planAll(cell, settlement))),
    repeat(advanceMs, () => logged(settlement, 'the chain could not be served', () => advanceAll(cell, settlement))),
    repeat(reconcileMs, () => logged(settlement, 'tokens could not be compared', () => reconcileAll(cell, settlement))),
  ]
}

export async function planAll(cell: pg.Pool, settlement: Settlement): Promise<void> {
  const chains = [...settlement.chains.keys()]
  for (const key of await listTokenlessOfferings(cell, chains))
    await logged(settlement, 'a token could not be asked for', () => planToken(settlement, key))
  for (const key of await listWantedTokens(cell, chains))
    await logged(settlement, 'a token could not be looked at', () => checkWantedToken(settlement, key))
  for (const key of await listMintableOfferings(cell, chains))
    await logged(settlement, 'a mint could not be planned', async () => {
      while (await planMint(settlement, key));
    })
}

export async function advanceAll(cell: pg.Pool, settlement: Settlement): Promise<void> {
  const due = await listDueOps(cell, [...settlement.chains.keys()], settlement.clock(), dueMax)
  const left = due.values()
  const lane = async () => {
    for (const key of left) await advanceLogged(settlement, key)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** One op that fails does not keep the others waiting; a node that is away is no reason for a stack. */
function advanceLogged(settlement: Settlement, key: ChainOpKey): Promise<void> {
  return logged(settlement, 'an op could not be advanced', async () => {
    try {
      await advanceOp(settlement, key)
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      settlement.log.debug({ chain_op_id: key.opId, tenant_id: key.tenantId }, 'the node of a chain does not answer')
    }
  })
}

async function logged(settlement: Settlement, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    settlement.log.warn({ err: error }, `${what}; trying again`)
  }
}
