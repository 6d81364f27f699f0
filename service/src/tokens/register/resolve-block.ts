import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { holderErrors } from './holder.errors.ts'
import { findBlockAt, findFinalizedBlock } from './holder.sql.ts'

/** A point in the history of a token: a block, a time, or by default the last finalized block. */
export interface RegisterPoint {
  readonly block?: number | undefined
  readonly at?: string | undefined
}

/**
 * Resolves the block that a request means; null while the indexer has read none. A time means the last block at or
 * before it in which the token was moved: the register has not changed since.
 */
export async function resolveBlock(
  tx: Transaction,
  key: OfferingKey,
  { block, at }: RegisterPoint,
  names: { block: string; at: string } = { block: 'block', at: 'at' },
): Promise<{ block: bigint | null }> {
  if (block !== undefined && at !== undefined)
    throw validationFailed([{ parameter: names.at, detail: `Give either ${names.block} or ${names.at}.` }])
  const finalized = await findFinalizedBlock(tx, key)
  if (!finalized) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
  if (block === undefined && at === undefined) return { block: finalized.block }
  const notFinalized = (text: string) => new ApiError(holderErrors.block_not_finalized, text)
  if (finalized.block === null) throw notFinalized('The indexer has not read a finalized block of this chain yet.')
  if (at !== undefined) {
    if (finalized.at === null || new Date(at) > finalized.at)
      throw notFinalized(
        `${names.at} must be at most ${finalized.at?.toISOString()}, the time of the last finalized block that the ` +
          'indexer has read.',
      )
    return { block: await findBlockAt(tx, key, at) }
  }
  if (block !== undefined && BigInt(block) > finalized.block)
    throw notFinalized(
      `${names.block} must be at most ${finalized.block}, the last finalized block that the indexer has read.`,
    )
  return { block: BigInt(block ?? 0) }
}
