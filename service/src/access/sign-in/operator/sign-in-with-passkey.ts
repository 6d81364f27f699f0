import { Named } from '../../../platform/api/declare/fields.ts'
import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { sessionCookieHeader } from '../../../platform/api/declare/session-cookie.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { guardAddress } from '../../../platform/api/rate-limit/rate-limit.ts'
import { inDirectoryTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { passkeyErrors } from '../../passkeys/passkey.errors.ts'
import { PasskeyAssertion } from '../../passkeys/passkey.schema.ts'
import { verifyAssertion } from '../../passkeys/verify-passkey.ts'
import { findIssuer } from '../../sessions/identity.sql.ts'
import { identityIdOfHandle, passkeyIssuer } from '../../sessions/identity.ts'
import { signInErrors } from '../sign-in.errors.ts'
import { SignedIn } from '../sign-in.schema.ts'
import { limitSignIns, signIn } from '../sign-in.ts'

export const signInWithPasskey = publicOperation(
  {
    id: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'For people of a tenant without an identity provider. Sets the session cookie. People of a tenant with a ' +
      'provider sign in there, so that the provider can lock them out.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/sign-in/passkey',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    body: Named('PasskeySignIn', { credential: PasskeyAssertion }),
    success: { status: 200, body: SignedIn },
    errors: [passkeyErrors.passkey_rejected, signInErrors.no_user_for_person],
  },
  async ({ body: { credential } }, context) => {
    await limitSignIns(context)
    const identityId = identityIdOfHandle(credential.response.userHandle)
    const access = { identityId, access: 'write' } as const
    const isVerified = await inDirectoryTransaction(context.databases, access, async (tx) => {
      if ((await findIssuer(tx, identityId)) !== passkeyIssuer) return false
      await verifyAssertion(tx, identityId, context, { purpose: { for: 'sign-in' }, credential })
      return true
    })
    if (!isVerified) {
      await guardAddress(context.rateLimiter, context.sourceAddress)
      throw new ApiError(
        passkeyErrors.passkey_rejected,
        'This passkey cannot sign in here. Use the identity provider of your tenant.',
      )
    }
    const person = {
      identityId,
      issuer: passkeyIssuer,
      providerSession: null,
      authenticatedAt: context.now,
      secondFactorAt: context.now,
    }
    const { tenantId, cookie } = await signIn(context, person)
    context.addHeaders({ 'set-cookie': sessionCookieHeader(cookie) })
    return { tenant_id: tenantId }
  },
)
