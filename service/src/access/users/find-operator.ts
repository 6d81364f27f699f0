import type { KnownOperator } from '../../platform/api/declare/services.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Databases } from '../../platform/db/pools.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { matchesAnySecret } from '../credentials/credential-secret.ts'
import { selectOperatorOfSession, selectOperatorOfToken, touchSession, touchToken } from './operator.sql.ts'
import { secretIdOf } from './operator-secret.ts'

export interface OperatorServices {
  readonly databases: Databases
  readonly secretPeppers: KeyRing
  readonly clock: Clock
}

/** A session ends after this time without a request. */
const sessionIdleMs = 30 * 60_000
/** How old the stored time of the last use may get: a write per request would cost more than the lookup. */
const touchMs = 60_000

/**
 * The user of a personal access token. Not cached: the operator API has few callers, and a removed user must lose
 * access with the next request.
 */
export async function findOperatorByToken(
  { databases, secretPeppers, clock }: OperatorServices,
  token: string,
): Promise<KnownOperator | undefined> {
  const tokenId = secretIdOf('token', token)
  if (!tokenId) return undefined
  const found = await inDirectoryTransaction(databases, { tokenId, access: 'read' }, (tx) =>
    selectOperatorOfToken(tx, tokenId),
  )
  if (!matchesAnySecret(secretPeppers, token, found ? [found] : []) || !found) return undefined
  const { operator, lastUsedAt } = found
  const now = clock()
  if (!operator.isRevoked && isOld(lastUsedAt, now))
    await inDirectoryTransaction(databases, { tenantId: operator.tenantId, access: 'write' }, (tx) =>
      touchToken(tx, { tenantId: operator.tenantId, tokenId }, now),
    )
  return operator
}

/** The signed-in person of a session cookie; not cached either. */
export async function findOperatorBySession(
  { databases, secretPeppers, clock }: OperatorServices,
  cookie: string,
): Promise<KnownOperator | undefined> {
  const sessionId = secretIdOf('session', cookie)
  if (!sessionId) return undefined
  const found = await inDirectoryTransaction(databases, { sessionId, access: 'read' }, (tx) =>
    selectOperatorOfSession(tx, sessionId),
  )
  if (!matchesAnySecret(secretPeppers, cookie, found ? [found] : []) || !found) return undefined
  const now = clock()
  const idleEnd = new Date(found.lastUsedAt.getTime() + sessionIdleMs)
  const operator = {
    ...found.operator,
    expiresAt: idleEnd < found.operator.expiresAt ? idleEnd : found.operator.expiresAt,
  }
  if (!operator.isRevoked && operator.expiresAt > now && isOld(found.lastUsedAt, now))
    await inDirectoryTransaction(databases, { tenantId: operator.tenantId, access: 'write' }, (tx) =>
      touchSession(tx, { tenantId: operator.tenantId, sessionId }, now),
    )
  return operator
}

function isOld(lastUsedAt: Date | null, now: Date): boolean {
  return !lastUsedAt || lastUsedAt.getTime() < now.getTime() - touchMs
}
