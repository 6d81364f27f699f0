import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { UserKey } from '../users/user.sql.ts'
import { lockSession, type SessionKey, type SessionRow } from './session.sql.ts'

/**
 * Locks the caller's session until the end of the transaction, and throws if it was revoked meanwhile: a token that is
 * created concurrently would otherwise outlive its session.
 */
export async function requireLiveSession(tx: Transaction, key: UserKey & SessionKey): Promise<SessionRow> {
  const session = await lockSession(tx, key)
  if (!session || session.revokedAt)
    throw new ApiError(requestErrors.session_expired, 'The session has ended. Sign in again.')
  return session
}
