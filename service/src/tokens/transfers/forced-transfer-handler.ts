import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Call } from '../chain/chain.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { tokenActionHandlers } from '../token-actions/token-action-handlers.ts'
import { lockTransferOfOp } from './transfer.sql.ts'
import { transferPreconditions } from './transfer-blockers.ts'
import { findTransferFacts } from './transfer-facts.sql.ts'

export const forcedTransferHandler: ChainOpHandler = { ...tokenActionHandlers.FORCED_TRANSFER, currentCall }

/**
 * Checks the preconditions of a requested transfer once more: others may have frozen the units since its confirmation,
 * and the token would unfreeze and move them. The op is then CANCELLED, and the transfer can be forced again.
 */
async function currentCall(tx: Transaction, op: ChainOp): Promise<Call | undefined> {
  const call = { to: op.to, data: op.data }
  const transfer = await lockTransferOfOp(tx, op)
  if (!transfer) return call
  const facts = await findTransferFacts(tx, op.tenantId, transfer)
  // The time is the time of the confirmation. Only lock-up depends on it, and lock-up does not apply to a forced
  // transfer.
  const blockers = transferPreconditions({ ...transfer, ...facts, now: op.createdAt })
  return blockers.length === 0 ? call : undefined
}
