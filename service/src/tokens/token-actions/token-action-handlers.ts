import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { capSetBy } from '../chain/contracts.ts'
import { chainOpErrors } from '../chain-ops/chain-op.errors.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import { resumeMintingAfterPause, setTokenCap } from '../minting/offering-token.sql.ts'

export const grantRoleHandler: ChainOpHandler = { retry: enqueueAgain }

/** Rejects retries: a retried burn, for example, might burn twice. Two people must confirm the action anew. */
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

/** Stores the cap once it is FINAL: the units that an offering may sell are compared with the cap on the chain. */
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
