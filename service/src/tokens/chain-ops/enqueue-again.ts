import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { chainOpErrors } from './chain-op.errors.ts'
import { type ChainOp, findChainOp } from './chain-op.sql.ts'
import { enqueueRetry, findLatestTry } from './chain-op-retry.sql.ts'

/**
 * Retries kinds whose call is idempotent: enqueues the same call as a new op. Only the latest try can be retried, so
 * that an operator cannot start several retries of one op.
 */
export async function enqueueAgain(tx: Transaction, op: ChainOp): Promise<{ newOpId: string }> {
  const { tenantId, chain, kind, dedupeKey, offeringId } = op
  const latest = await findLatestTry(tx, op)
  if (latest?.id !== op.id)
    throw new ApiError(chainOpErrors.chain_op_not_retryable, `The op was already retried, as ${latest?.id}.`)
  const call = { to: op.to, data: op.data }
  const dependsOn = await latestDependency(tx, op)
  const retry = { tenantId, chain, kind, dedupeKey, call, offeringId, dependsOn }
  return { newOpId: await enqueueRetry(tx, retry, latest.tries) }
}

/** If the op's dependency failed and was retried, the retry depends on the dependency's latest try. */
async function latestDependency(tx: Transaction, { tenantId, dependsOn }: ChainOp): Promise<string | null> {
  const dependency = dependsOn && (await findChainOp(tx, { tenantId, opId: dependsOn }))
  if (!dependency) return null
  const latest = await findLatestTry(tx, dependency)
  return latest?.id ?? dependency.id
}
