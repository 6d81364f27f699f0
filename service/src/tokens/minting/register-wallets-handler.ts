import { ApiError } from '../../platform/api/errors/errors.ts'
import { chainOpErrors } from '../chain-ops/chain-op.errors.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import { markHoldersRegistered, reassignHolders } from './token-holder.sql.ts'

export const registerWalletsHandler: ChainOpHandler = {
  onFinal: markHoldersRegistered,
  retry: async (tx, op) => {
    const retried = await enqueueAgain(tx, op)
    if ((await reassignHolders(tx, op, retried.newOpId)) === 0)
      throw new ApiError(chainOpErrors.chain_op_not_retryable, 'No wallet waits for this registration any more.')
    return retried
  },
}
