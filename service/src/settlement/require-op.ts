import type { Transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import type { ChainOp, ChainOpKey, ChainOpState } from './chain-op.sql.ts'
import { lockOp } from './chain-op-life.sql.ts'

/** The op, held until the end of the transaction, in one of these states; else refused. */
export async function requireOp(tx: Transaction, key: ChainOpKey, states: readonly ChainOpState[]): Promise<ChainOp> {
  const op = await lockOp(tx, key)
  if (!op) throw new ApiError('not_found', 'There is no such chain op.')
  if (!states.includes(op.state))
    throw new ApiError('chain_op_not_in_state', `The op is ${op.state}; this needs one that is ${states.join(' or ')}.`)
  return op
}
