import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { findUser } from './user.sql.ts'

/** Throws unless the caller is `userId` or an admin: users manage their own access tokens, admins those of all. */
export async function requireTokenAccess(
  tx: Transaction,
  { tenantId, callerId, userId }: { tenantId: string; callerId: string; userId: string },
): Promise<void> {
  if (callerId === userId) return
  const caller = await findUser(tx, { tenantId, userId: callerId })
  if (caller?.role === 'admin') return
  throw new ApiError(requestErrors.insufficient_role, 'The tokens of other users require the role admin.')
}
