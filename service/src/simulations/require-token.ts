import type { Address } from 'viem'
import type { Transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import { findToken } from '../settlement/token-action.sql.ts'

/** The token of an offering, which must be on its chain already. */
export async function requireToken(
  tx: Transaction,
  key: { tenantId: string; offeringId: string },
): Promise<{ chain: string; token: Address; desk: Address }> {
  const found = await findToken(tx, key)
  if (!found) throw new ApiError('not_found', 'There is no such offering.')
  const { chain, token, desk } = found
  if (!token || !desk)
    throw new ApiError('simulation_refused', `The token of the offering is not on ${chain} yet. Try again shortly.`)
  return { chain, token, desk }
}
