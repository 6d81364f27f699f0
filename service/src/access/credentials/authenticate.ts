import { setTimeout as sleep } from 'node:timers/promises'
import { publicOperation } from '../../platform/api/declare/operation.ts'
import type { PublicContext } from '../../platform/api/declare/public-context.ts'
import { ApiError, type PresentedIdentity, validationFailed } from '../../platform/api/errors/errors.ts'
import { issueToken, unauthorized } from '../../platform/api/pipeline/access-token.ts'
import { networkOf } from '../../platform/api/rate-limit/network.ts'
import {
  addressBucket,
  credentialBucket,
  guardAddress,
  limitCaller,
  rateLimited,
} from '../../platform/api/rate-limit/rate-limit.ts'
import { epochSeconds } from '../../platform/base/clock.ts'
import type { VersionName } from '../../platform/base/contract-versions.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { DatabaseUnavailable } from '../../platform/postgres/sql-errors.ts'
import { credentialErrors } from './credential.errors.ts'
import { AuthRequest, AuthResponse } from './credential.schema.ts'
import {
  type AuthCredential,
  findAuthCredential,
  recordCredentialUse,
  resetFailures,
  selectLiveSecrets,
} from './credential.sql.ts'
import { type HashedSecret, matchesAnySecret } from './credential-secret.ts'
import { recordFailedAuthentication } from './record-failed-authentication.ts'

export const authenticate = publicOperation(
  {
    id: 'authenticate',
    summary: 'Obtain an access token',
    description:
      'Exchanges a credential for an access token that is valid for 600 seconds and carries the requested scopes. ' +
      'Get a new one shortly before it expires: a new token for every request would use up the rate limit. Unknown ' +
      'members are ignored.',
    tag: 'Authentication',
    method: 'POST',
    path: '/auth',
    scopes: 'public',
    idempotency: 'none',
    body: AuthRequest,
    success: { status: 200, body: AuthResponse },
    errors: [credentialErrors.invalid_client, credentialErrors.scope_not_granted],
  },
  async ({ body }, context) => {
    requireServedVersion(body.api_version, context)

    const credential = await verifyClient(body.client_id, body.client_secret, context)
    await countRequest(credential, context)
    const scopes = [...new Set(body.scopes)]
    const missing = scopes.filter((scope) => !credential.scopes.includes(scope))
    if (missing.length > 0)
      throw new ApiError(
        credentialErrors.scope_not_granted,
        `scopes contains ${missing.join(', ')}, which the credential is not granted. No token was issued.`,
      )
    const apiVersion = body.api_version ?? credential.defaultVersion ?? context.versions.standard
    requireServedVersion(apiVersion, context)

    if (credential.hasFailures) await clearFailures(credential, context)
    if (!credential.isUseRecorded) await recordUse(credential, context)
    const { token, expiresAt } = await issueToken(context.tokenSigningKeys, {
      clientId: credential.clientId,
      tenantId: credential.tenantId,
      scopes,
      apiVersion,
      // A token issued in the same second as a revocation must not be revoked itself.
      issuedAt: Math.max(epochSeconds(context.now), credential.tokensNotBefore ?? 0),
    })
    return { access_token: token, token_type: 'Bearer' as const, expires_at: expiresAt.toISOString() }
  },
)

function requireServedVersion(
  version: string | undefined,
  { versions }: PublicContext,
): asserts version is VersionName {
  if (version === undefined ? versions.standard : versions.isServed(version)) return
  const detail =
    versions.served.length > 0
      ? `The member api_version must be one of ${versions.served.join(', ')} in this environment.`
      : 'The member api_version has no valid value: this environment serves no released version of the API.'
  throw validationFailed([{ detail, pointer: '/api_version' }])
}

/**
 * Returns the credential or throws 401. A caller without the secret cannot distinguish a known client id from an
 * unknown one: both compare hashes, and both respond after the same time, because only a known id records a failure,
 * which takes longer.
 */
async function verifyClient(clientId: string, secret: string, context: PublicContext): Promise<AuthCredential> {
  const { rateLimiter, sourceAddress } = context
  const respondAt = performance.now() + rejectionMs
  // Rejects a caller that guesses client ids before querying the directory.
  if (rateLimiter.isKnownFull(addressBucket(sourceAddress))) await guardAddress(rateLimiter, sourceAddress)
  const found = isUuid(clientId) ? await readCredential(clientId, context) : undefined
  const isMatch = matchesAnySecret(context.secretPeppers, secret, found?.secrets ?? [])
  if (found && isMatch && !found.credential.isDisabled) return found.credential

  await guardAddress(rateLimiter, sourceAddress)
  if (found && !isMatch) await rejectWrongSecret(found.credential, context)
  await sleep(Math.max(0, respondAt - performance.now()))
  throw new ApiError(
    credentialErrors.invalid_client,
    'The credential does not exist or is disabled, or client_secret is wrong.',
    { ...unauthorized, presented: presentedBy(clientId) },
  )
}

/**
 * Counts a wrong secret or throws 429. Each source network has a separate bucket: in the credential's bucket, an
 * attacker could use up the requests of the integrator.
 */
async function rejectWrongSecret(credential: AuthCredential, context: PublicContext): Promise<void> {
  const { sourceAddress } = context
  const key = `wrong-secret:${credential.clientId}:${networkOf(sourceAddress)}`
  const attempt = await context.rateLimiter.take({ key, limit: failuresPerMinuteMax })
  if (!attempt.accepted) throw rateLimited(attempt, presentedBy(credential.clientId))
  await recordFailedAuthentication(context.databases, { ...credential, sourceAddress })
}

/** Text other than a UUID could be a secret in the wrong field, so it is left out. */
function presentedBy(clientId: string): PresentedIdentity {
  return { clientId: isUuid(clientId) ? clientId : undefined }
}

const failuresPerMinuteMax = 30
// Longer than recording a failure takes on a busy database, short enough for a caller who mistyped.
const rejectionMs = 100

function readCredential(
  clientId: string,
  { databases }: PublicContext,
): Promise<{ credential: AuthCredential; secrets: HashedSecret[] } | undefined> {
  return inDirectoryTransaction(databases, { clientId, access: 'read' }, async (tx) => {
    const [credential, secrets] = await tx.batch(
      (tx) => findAuthCredential(tx, clientId),
      (tx) => selectLiveSecrets(tx, clientId),
    )
    return credential && { credential, secrets }
  })
}

/** A successful POST /auth counts against the rate limit of the credential. */
function countRequest(credential: AuthCredential, context: PublicContext): Promise<void> {
  return limitCaller(context.rateLimiter, credentialBucket(credential), { headers: context.addHeaders })
}

async function clearFailures(credential: AuthCredential, { databases }: PublicContext): Promise<void> {
  const { tenantId } = credential
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) => resetFailures(tx, credential))
}

/** Runs at most once a minute, so that authenticating stays a read. If it fails, the caller still gets the token. */
async function recordUse(credential: AuthCredential, { databases }: PublicContext): Promise<void> {
  const { tenantId } = credential
  try {
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) => recordCredentialUse(tx, credential))
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}
