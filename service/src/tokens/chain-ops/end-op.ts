import { raiseAlarm } from '../../access/alarms/raise-alarm.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { addGas } from '../signers/gas.sql.ts'
import type { ChainOp } from './chain-op.sql.ts'
import type { ChainOpContext } from './chain-op-context.ts'
import { moveOp } from './chain-op-engine.sql.ts'

/**
 * Ends an op and runs the effects of its kind in the same transaction. Does nothing if another process has moved the op
 * meanwhile. ALARM has no effects, because it is unknown whether the call happened; the op's orders stay MINTING until
 * an operator decides.
 */
export async function endOp(
  context: ChainOpContext,
  op: ChainOp,
  state: 'FINAL' | 'REVERTED' | 'CANCELLED' | 'ALARM',
  failure: string | null,
  /** Cost of its own transactions. */
  spentWei = 0n,
): Promise<undefined> {
  const now = context.clock()
  const handler = context.handlers[op.kind]
  await inTenantWrite(context, op.tenantId, async (tx) => {
    if (!(await moveOp(tx, op.state, { ...op, state, failure }, now))) return
    if (spentWei > 0n) await addGas(tx, op, { spentWei, now })
    if (state === 'FINAL') await handler.onFinal?.(tx, op, now)
    else if (state !== 'ALARM') await handler.onFailed?.(tx, op, failure)
    if (state === 'ALARM' || state === 'REVERTED') {
      const data = { chain_op_id: op.id, kind: op.kind, chain: op.chain, offering_id: op.offeringId }
      const type = state === 'ALARM' ? 'chain_op.alarm' : 'chain_op.reverted'
      // The orders of a rejected mint report it themselves; every other op waits for a person.
      if (state === 'REVERTED' && op.kind === 'MINT') await recordEvent(tx, op.tenantId, { type, data })
      else await raiseAlarm(tx, op.tenantId, { type, data, offeringId: op.offeringId })
    }
  })
  if (state === 'FINAL' || state === 'CANCELLED') return
  const fields = { chain_op_id: op.id, tenant_id: op.tenantId, problem: failure }
  context.log[state === 'ALARM' ? 'error' : 'warn'](fields, `a chain op (${op.kind}) ended as ${state}`)
}
