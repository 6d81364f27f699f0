import type { KnownOperator, OperatorProof } from '../../platform/api/declare/services.ts'
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
  const operator = untilIdle(found)
  if (!operator.isRevoked && operator.expiresAt > now && isOld(found.lastUsedAt, now))
    await inDirectoryTransaction(databases, { tenantId: operator.tenantId, access: 'write' }, (tx) =>
      touchSession(tx, { tenantId: operator.tenantId, sessionId }, now),
    )
  return operator
}

/**
 * The user of a token or session that was verified before, as of now. It does not count as a use: a page that only
 * listens must not keep an unused session alive.
 */
export async function findOperatorAgain(
  { databases }: OperatorServices,
  proof: OperatorProof,
): Promise<KnownOperator | undefined> {
  const { type, id } = proof
  if (type === 'approval') return undefined
  if (type === 'token') {
    const found = await inDirectoryTransaction(databases, { tokenId: id, access: 'read' }, (tx) =>
      selectOperatorOfToken(tx, id),
    )
    return found?.operator
  }
  const found = await inDirectoryTransaction(databases, { sessionId: id, access: 'read' }, (tx) =>
    selectOperatorOfSession(tx, id),
  )
  return found && untilIdle(found)
}

/** A session ends when it is not used, even if it could last longer. */
function untilIdle({ operator, lastUsedAt }: { operator: KnownOperator; lastUsedAt: Date }): KnownOperator {
  const idleEnd = new Date(lastUsedAt.getTime() + sessionIdleMs)
  return { ...operator, expiresAt: idleEnd < operator.expiresAt ? idleEnd : operator.expiresAt }
}

function isOld(lastUsedAt: Date | null, now: Date): boolean {
  return !lastUsedAt || lastUsedAt.getTime() < now.getTime() - touchMs
}
