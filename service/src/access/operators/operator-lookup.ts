import type { KnownOperator, OperatorProof } from '../../platform/api/declare/services.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import { matchesSecret } from '../credentials/credential-secret.ts'
import { secretIdOf } from '../credentials/operator-secret.ts'
import { sessionMsMax } from '../sessions/create-session.ts'
import {
  findPresentedSession,
  findPresentedToken,
  type OperatorAccess,
  type PresentedSession,
  type PresentedToken,
  selectOperatorAccess,
  touchSession,
  touchToken,
} from './operator.sql.ts'

export interface OperatorServices {
  readonly databases: Databases
  readonly secretPeppers: KeyRing
  readonly clock: Clock
}

/** A session ends after this time without a request. */
const sessionIdleMs = 30 * 60_000
/** Age at which the stored time of the last use is renewed: a write per request would cost more than the lookup. */
const touchMs = 60_000

/**
 * Finds the user of a personal access token or a session. Each request reads the token or session from the directory: a
 * removed user must lose access with the next request. The user's duties and policies are read again only when their
 * stamp differs.
 */
export class OperatorLookup {
  readonly #services: OperatorServices
  readonly #accessOf = new Map<string, OperatorAccess>()

  constructor(services: OperatorServices) {
    this.#services = services
  }

  async byToken(token: string): Promise<KnownOperator | undefined> {
    const { databases, secretPeppers, clock } = this.#services
    const tokenId = secretIdOf('token', token)
    if (!tokenId) return undefined
    const found = await findPresentedToken(databases, tokenId)
    if (!matchesSecret(secretPeppers, token, found) || !found) return undefined
    const operator = await this.#ofToken(tokenId, found)
    const now = clock()
    const { tenantId } = found
    if (operator && !operator.isRevoked && isOld(found.lastUsedAt, now))
      await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
        touchToken(tx, { tenantId, tokenId }, now),
      )
    return operator
  }

  /** Returns the signed-in person of a session cookie. */
  async bySession(cookie: string): Promise<KnownOperator | undefined> {
    const { databases, secretPeppers, clock } = this.#services
    const sessionId = secretIdOf('session', cookie)
    if (!sessionId) return undefined
    const found = await findPresentedSession(databases, sessionId)
    if (!matchesSecret(secretPeppers, cookie, found) || !found) return undefined
    const operator = await this.#ofSession(sessionId, found)
    const now = clock()
    const { tenantId } = found
    if (operator && !operator.isRevoked && operator.expiresAt > now && isOld(found.lastUsedAt, now))
      await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
        touchSession(tx, { tenantId, sessionId }, now),
      )
    return operator
  }

  /**
   * Reads the user of an already verified token or session again. This does not count as a use: a page that only
   * listens must not keep an unused session alive.
   */
  async again({ type, id }: OperatorProof): Promise<KnownOperator | undefined> {
    const { databases } = this.#services
    if (type === 'approval') return undefined
    if (type === 'token') {
      const found = await findPresentedToken(databases, id)
      return found && this.#ofToken(id, found)
    }
    const found = await findPresentedSession(databases, id)
    return found && this.#ofSession(id, found)
  }

  async #ofToken(id: string, found: PresentedToken): Promise<KnownOperator | undefined> {
    const access = await this.#access(found)
    return access && operatorOf(found, access, { type: 'token', id })
  }

  /** Ends an idle session earlier than its expiry. */
  async #ofSession(id: string, found: PresentedSession): Promise<KnownOperator | undefined> {
    const access = await this.#access(found)
    const { createdAt, steppedUpAt, isBreakGlass } = found
    // Switching to another tenant keeps the end of the session, so the end says when the person signed in.
    const signedInAt = new Date(found.expiresAt.getTime() - sessionMsMax)
    const idleEnd = new Date(found.lastUsedAt.getTime() + sessionIdleMs)
    const expiresAt = idleEnd < found.expiresAt ? idleEnd : found.expiresAt
    const proof = { type: 'session', id, createdAt, signedInAt, steppedUpAt, isBreakGlass } as const
    return access && operatorOf({ ...found, expiresAt }, access, proof)
  }

  async #access({ tenantId, userId, stamp }: PresentedToken | PresentedSession): Promise<OperatorAccess | undefined> {
    const key = `${tenantId} ${userId}`
    const known = this.#accessOf.get(key)
    if (known?.stamp === stamp) return known
    const access = await inDirectoryTransaction(this.#services.databases, { tenantId, access: 'read' }, (tx) =>
      selectOperatorAccess(tx, { tenantId, userId }),
    )
    if (this.#accessOf.size >= usersMax) this.#accessOf.clear()
    if (access) this.#accessOf.set(key, access)
    return access
  }
}

// About 20 MB. Above it, the cache is cleared.
const usersMax = 10_000

function operatorOf(
  { tenantId, userId, expiresAt, revokedAt }: PresentedToken | PresentedSession,
  access: OperatorAccess,
  proof: KnownOperator['proof'],
): KnownOperator {
  const { userKind, identityId, duties, policies, tenantRequestsPerMinute } = access
  const isRevoked = access.isRevoked || revokedAt !== null
  const user = { tenantId, userId, userKind, identityId, duties }
  return { ...user, policies, tenantRequestsPerMinute, proof, expiresAt, isRevoked }
}

function isOld(lastUsedAt: Date | null, now: Date): boolean {
  return !lastUsedAt || lastUsedAt.getTime() < now.getTime() - touchMs
}
