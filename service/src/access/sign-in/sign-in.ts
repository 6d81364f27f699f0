import type { PublicContext } from '../../platform/api/declare/public-context.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { networkOf } from '../../platform/api/rate-limit/network.ts'
import { rateLimited } from '../../platform/api/rate-limit/rate-limit.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { createSession, type SignedInPerson } from '../sessions/create-session.ts'
import { selectUsersOfIdentity } from '../sessions/identity.sql.ts'
import { passkeyIssuer } from '../sessions/identity.ts'
import { findSignInFacts, type SignInFacts } from '../tenants/tenant.sql.ts'
import { signInErrors } from './sign-in.errors.ts'

/** Services that signing in needs, in an operation and in the callback of a provider. */
export type SignInContext = Omit<
  PublicContext,
  'tokenSigningKeys' | 'versions' | 'operatorOfSession' | 'sessionCookie' | 'addHeaders'
>

/** A person who has authenticated, and how. */
export type ProvenPerson = Pick<
  SignedInPerson,
  'identityId' | 'providerSession' | 'authenticatedAt' | 'secondFactorAt' | 'expiresAt'
> & {
  readonly issuer: string
}

/**
 * Creates a session for a person in the given tenant, or in the first of theirs that uses their way to sign in. Throws
 * 403 if there is none.
 */
export async function signIn(
  context: SignInContext,
  person: ProvenPerson,
  only?: string,
): Promise<{ tenantId: string; cookie: string }> {
  const { databases } = context
  const { identityId } = person
  const users = await inDirectoryTransaction(databases, { identityId, access: 'read' }, (tx) =>
    selectUsersOfIdentity(tx, identityId),
  )
  const candidates = users.filter(({ tenantId }) => only === undefined || tenantId === only)
  for (const { tenantId, userId } of candidates) {
    const access = { tenantId, identityId, access: 'write' } as const
    const signedIn = await inDirectoryTransaction(databases, access, async (tx) => {
      const tenant = await findSignInFacts(tx, tenantId)
      return tenant && isMethodOf(tenant, person.issuer, context) && !tenant.isDisabled
        ? startSession(tx, context, { ...person, tenantId, userId, isBreakGlass: false })
        : undefined
    })
    if (signedIn) return { tenantId, cookie: signedIn }
  }
  throw new ApiError(
    signInErrors.no_user_for_person,
    'You are not a user of a tenant here. Open the link of your invitation mail, or ask to be invited.',
  )
}

/** Creates the session in a transaction that presents tenant and person, and returns the value of its cookie. */
export async function startSession(
  tx: Transaction,
  { secretPeppers, sourceAddress, userAgent, requestId, now }: SignInContext,
  { issuer, ...person }: ProvenPerson & { tenantId: string; userId: string; isBreakGlass: boolean },
): Promise<string> {
  const { sessionId, cookie } = await createSession(tx, secretPeppers, { ...person, userAgent, sourceAddress }, now)
  const method = person.isBreakGlass ? 'emergency link' : issuer
  await appendAudit(
    tx,
    { type: 'user', id: person.userId, requestId },
    { action: 'session.created', subject: { type: 'session', id: sessionId }, after: { method } },
  )
  return cookie
}

/** Returns true if the people of a tenant sign in with this issuer: a tenant has one way to sign in. */
export function isMethodOf(
  { identityProvider }: SignInFacts,
  issuer: string,
  { identityProviders }: Pick<SignInContext, 'identityProviders'>,
): boolean {
  return issuer === (identityProvider === null ? passkeyIssuer : identityProviders.issuerOf(identityProvider))
}

/** Counts an attempt to sign in; throws 429. Attempts cost signatures and requests to providers. */
export async function limitSignIns({
  rateLimiter,
  sourceAddress,
}: Pick<SignInContext, 'rateLimiter' | 'sourceAddress'>) {
  const decision = await rateLimiter.take({ key: `sign-in:${networkOf(sourceAddress)}`, limit: attemptsPerMinuteMax })
  if (!decision.accepted) throw rateLimited(decision)
}

// High enough for an office behind one address that signs in at nine o'clock, low enough that a guessing script cannot
// load the provider.
const attemptsPerMinuteMax = 120
