import type { Address } from 'viem'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { findToken } from '../tokens/token-actions/token-action.sql.ts'
import { simulationErrors } from './simulation.errors.ts'

/** Returns the deployed token of an offering. Rejects the request if it is not deployed yet. */
export async function requireDeployedToken(
  tx: Transaction,
  key: { tenantId: string; offeringId: string },
): Promise<{ chain: string; token: Address; desk: Address }> {
  const found = await findToken(tx, key)
  if (!found) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
  const { chain, token, desk } = found
  if (!token || !desk)
    throw new ApiError(
      simulationErrors.simulation_not_possible,
      `The token of the offering is not deployed on ${chain} yet. Retry in a few seconds.`,
    )
  return { chain, token, desk }
}
