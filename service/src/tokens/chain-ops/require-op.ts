import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { chainOpErrors } from './chain-op.errors.ts'
import { type ChainOp, type ChainOpKey, lockChainOp } from './chain-op.sql.ts'
import type { ChainOpState } from './chain-op.ts'

/** Locks the op until the end of the transaction. Throws unless it is in one of these states. */
export async function requireOp(tx: Transaction, key: ChainOpKey, states: readonly ChainOpState[]): Promise<ChainOp> {
  const op = await lockChainOp(tx, key)
  if (!op) throw new ApiError(requestErrors.not_found, 'This chain op does not exist.')
  if (!states.includes(op.state))
    throw new ApiError(
      chainOpErrors.chain_op_not_in_state,
      `The chain op is ${op.state}; it must be ${states.join(' or ')}.`,
    )
  return op
}
