import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { hashSecret } from '../credentials/credential-secret.ts'
import { newOperatorSecret } from '../credentials/operator-secret.ts'
import { insertSession } from './session.sql.ts'

/** Longest session, however active it is. */
export const sessionMsMax = 10 * 3_600_000

export interface SignedInPerson {
  readonly tenantId: string
  readonly userId: string
  readonly identityId: string
  /** The `sid` of the provider, for its logout; null without a provider. */
  readonly providerSession: string | null
  /**
   * Time of the last authentication: earlier than now if a provider remembered the person, or if they switch tenants.
   */
  readonly authenticatedAt: Date
  /** Time at which a passkey, or a second factor at the provider, was used; null if none was. */
  readonly secondFactorAt: Date | null
  readonly isBreakGlass: boolean
  readonly userAgent: string
  readonly sourceAddress: string
  /** The end of the session that this one continues in another tenant, so that switching does not extend it. */
  readonly expiresAt?: Date
}

/** Creates a session and returns the value of its cookie, of which only the HMAC is stored. */
export async function createSession(
  tx: Transaction,
  peppers: KeyRing,
  { secondFactorAt, ...person }: SignedInPerson,
  now: Date,
): Promise<{ sessionId: string; cookie: string }> {
  const { id, secret } = newOperatorSecret('session')
  await insertSession(tx, {
    ...person,
    id,
    ...hashSecret(peppers, secret),
    userAgent: person.userAgent.slice(0, 300),
    createdAt: now,
    expiresAt: person.expiresAt ?? new Date(now.getTime() + sessionMsMax),
    steppedUpAt: secondFactorAt,
  })
  return { sessionId: id, cookie: secret }
}
