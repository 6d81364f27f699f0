import type { Static } from 'typebox'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ChainAttempt, ChainOperation, ListedChainOp } from './chain-op.schema.ts'
import { type ChainOp, type ChainOpKey, findChainOp } from './chain-op.sql.ts'
import { type ChainTx, selectAttempts } from './chain-tx.sql.ts'

export function viewListedChainOp(op: ChainOp): Static<typeof ListedChainOp> {
  return {
    id: op.id,
    blockchain: op.chain,
    kind: op.kind,
    state: op.state,
    offering_id: op.offeringId,
    depends_on: op.dependsOn,
    to_address: op.to,
    nonce: op.nonce,
    mined_hash: op.minedHash,
    mined_block: op.minedBlock === null ? null : Number(op.minedBlock),
    failure: op.failure,
    is_cancelling: op.isCancelling,
    is_bumping: op.isFeeIncreaseRequested,
    created_at: op.createdAt.toISOString(),
    changed_at: op.changedAt.toISOString(),
  }
}

function viewAttempt(attempt: ChainTx): Static<typeof ChainAttempt> {
  return {
    hash: attempt.hash,
    attempt: attempt.attempt,
    max_fee_per_gas: attempt.maxFeePerGas?.toString() ?? null,
    max_priority_fee_per_gas: attempt.maxPriorityFeePerGas?.toString() ?? null,
    is_cancellation: attempt.isCancellation,
    is_foreign: attempt.isForeign,
    created_at: attempt.createdAt.toISOString(),
  }
}

/** Reads an op with all its attempts. Throws 404 if it does not exist. */
export async function readChainOp(tx: Transaction, key: ChainOpKey): Promise<Static<typeof ChainOperation>> {
  const [op, attempts] = await tx.batch(
    (tx) => findChainOp(tx, key),
    (tx) => selectAttempts(tx, key),
  )
  if (!op) throw new ApiError(requestErrors.not_found, 'This chain op does not exist.')
  return { ...viewListedChainOp(op), attempts: attempts.map(viewAttempt) }
}
