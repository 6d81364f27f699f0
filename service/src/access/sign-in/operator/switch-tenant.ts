import { Named, Uuid } from '../../../platform/api/declare/fields.ts'
import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { sessionCookieHeader } from '../../../platform/api/declare/session-cookie.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { unauthorized } from '../../../platform/api/pipeline/access-token.ts'
import { inDirectoryTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { findIssuer } from '../../sessions/identity.sql.ts'
import { requireLiveSession } from '../../sessions/require-live-session.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { SignedIn } from '../sign-in.schema.ts'
import { signIn } from '../sign-in.ts'

export const switchTenant = publicOperation(
  {
    id: 'switchTenant',
    summary: 'Switch to another tenant',
    description:
      'For a person who runs several tenants: creates a session in another one and sets its cookie. The session of ' +
      'the first tenant goes on until it ends. Confirming there needs the use of a passkey again.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/switch-tenant',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: Named('TenantSwitch', { tenant_id: Uuid('The tenant.') }),
    success: { status: 200, body: SignedIn },
    errors: [requestErrors.session_expired, signInErrors.no_user_for_person],
  },
  async ({ body: { tenant_id: wanted } }, context) => {
    const { sessionCookie, databases, now } = context
    const operator = sessionCookie === undefined ? undefined : await context.operatorOfSession(sessionCookie)
    const identityId = operator?.identityId
    if (!operator || !identityId || operator.isRevoked || operator.expiresAt <= now)
      throw new ApiError(requestErrors.session_expired, 'The session has ended. Sign in again.', unauthorized)
    const { tenantId: current, userId, proof } = operator
    const access = { tenantId: current, identityId, access: 'write' } as const
    const [issuer, session] = await inDirectoryTransaction(databases, access, (tx) =>
      tx.batch(
        (tx) => findIssuer(tx, identityId),
        (tx) => requireLiveSession(tx, { tenantId: current, userId, sessionId: proof.id }),
      ),
    )
    // An emergency link is for one tenant and must not open another.
    if (!issuer || session.isBreakGlass)
      throw new ApiError(signInErrors.no_user_for_person, 'An emergency sign-in is for one tenant only.')
    const { providerSession, expiresAt } = session
    // A session of an earlier release has no such time.
    const signedInAt = proof.type === 'session' ? proof.signedInAt : new Date(0)
    const authenticatedAt = session.authenticatedAt ?? signedInAt
    const person = { identityId, issuer, providerSession, authenticatedAt, secondFactorAt: null, expiresAt }
    const { tenantId, cookie } = await signIn(context, person, wanted)
    context.addHeaders({ 'set-cookie': sessionCookieHeader(cookie) })
    return { tenant_id: tenantId }
  },
)
