import type { Transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import { findPresentAdministrator } from './administrator.sql.ts'

/** Throws unless the caller decides about these tokens: their own, or anybody's for an administrator. */
export async function requireOwnTokens(
  tx: Transaction,
  { tenantId, callerId, administratorId }: { tenantId: string; callerId: string; administratorId: string },
): Promise<void> {
  if (callerId === administratorId) return
  const caller = await findPresentAdministrator(tx, { tenantId, administratorId: callerId })
  if (caller?.role === 'administrator') return
  throw new ApiError('insufficient_role', 'The tokens of others need the role administrator.')
}
