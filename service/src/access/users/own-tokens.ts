import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { findPresentUser } from './user.sql.ts'

/** Throws unless the caller decides about these tokens: their own, or anybody's for an user. */
export async function requireOwnTokens(
  tx: Transaction,
  { tenantId, callerId, userId }: { tenantId: string; callerId: string; userId: string },
): Promise<void> {
  if (callerId === userId) return
  const caller = await findPresentUser(tx, { tenantId, userId: callerId })
  if (caller?.role === 'admin') return
  throw new ApiError(requestErrors.insufficient_role, 'The tokens of others need the role user.')
}
