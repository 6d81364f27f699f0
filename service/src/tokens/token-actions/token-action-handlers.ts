import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { capSetBy } from '../chain/contracts.ts'
import { chainOpErrors } from '../chain-ops/chain-op.errors.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import { resumeMintingAfterPause, setTokenCap } from '../minting/offering-token.sql.ts'

export const grantRoleHandler: ChainOpHandler = { retry: enqueueAgain }

/** A burn, for example, would have its effect twice: executing an action again needs two people again. */
export const tokenActionHandler: ChainOpHandler = { retry: rejectRetry }

/** Minting stops when the pause is enqueued (enqueueTokenAction), so it resumes if the pause does not happen. */
export const pauseHandler: ChainOpHandler = {
  onFailed: resumeMintingAfterPause,
  retry: rejectRetry,
}

export const unpauseHandler: ChainOpHandler = {
  onFinal: resumeMintingAfterPause,
  retry: rejectRetry,
}

/** What an offering may sell is compared with the cap that is on the chain, so it is stored once it is FINAL there. */
export const setCapHandler: ChainOpHandler = {
  onFinal: (tx, op) => setTokenCap(tx, op, capSetBy(op.data)),
  retry: rejectRetry,
}

async function rejectRetry(_: Transaction, { kind }: ChainOp): Promise<never> {
  throw new ApiError(
    chainOpErrors.chain_op_not_retryable,
    `A ${kind} cannot be retried: propose the token action again and have another person confirm it.`,
  )
}
