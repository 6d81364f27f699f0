import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { chainOpErrors } from './chain-op.errors.ts'
import type { ChainOp, ChainOpKey, ChainOpState } from './chain-op.sql.ts'
import { lockOp } from './chain-op-life.sql.ts'

/** The op, held until the end of the transaction, in one of these states; else refused. */
export async function requireOp(tx: Transaction, key: ChainOpKey, states: readonly ChainOpState[]): Promise<ChainOp> {
  const op = await lockOp(tx, key)
  if (!op) throw new ApiError(requestErrors.not_found, 'There is no such chain op.')
  if (!states.includes(op.state))
    throw new ApiError(
      chainOpErrors.chain_op_not_in_state,
      `The op is ${op.state}; this needs one that is ${states.join(' or ')}.`,
    )
  return op
}
