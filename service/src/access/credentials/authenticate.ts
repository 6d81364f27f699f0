import { setTimeout as sleep } from 'node:timers/promises'
import { type PublicContext, publicOperation } from '../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { issueToken, unauthorized } from '../../platform/api/pipeline/access-token.ts'
import {
  addressBucket,
  credentialBucket,
  guardAddress,
  rateLimited,
  rateLimitHeaders,
} from '../../platform/api/rate-limit/rate-limit.ts'
import type { VersionName } from '../../platform/api/server/versions.ts'
import { epochSeconds } from '../../platform/base/clock.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inDirectoryTransaction } from '../../platform/db/tenant-transaction.ts'
import { credentialErrors } from './credential.errors.ts'
import { AuthRequest, AuthResponse } from './credential.schema.ts'
import { type CredentialRow, endStreak, findCredential, listLiveSecrets } from './credential.sql.ts'
import { isOneOf, type SealedSecret } from './credential-secret.ts'
import { recordFailure } from './record-failure.ts'

export const authenticate = publicOperation(
  {
    id: 'authenticate',
    summary: 'Obtain an access token',
    description:
      'Exchanges a credential for an access token of 600 seconds that carries the scopes asked for. Get a new ' +
      'one shortly before it ends; asking for one on every request uses up the rate limit. Members that are not ' +
      'listed here are ignored.',
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
        `The credential is not granted ${missing.join(', ')}. No token was issued.`,
      )
    const apiVersion = body.api_version ?? credential.defaultVersion ?? context.versions.standard
    requireServedVersion(apiVersion, context)

    if (credential.hasFailures) await forgetFailures(credential, context)
    const { token, expiresAt } = await issueToken(context.tokenSigningKeys, {
      clientId: credential.clientId,
      tenantId: credential.tenantId,
      scopes,
      apiVersion,
      // A token of the very second in which older ones were revoked must not count among them.
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
      : 'The member api_version cannot be satisfied: no version of the API is released in this environment.'
  throw validationFailed([{ detail, pointer: '/api_version' }])
}

/**
 * The credential, or 401. Whoever does not know the secret cannot tell a known id from an unknown one: both are
 * compared, and both are answered after the same time, since recording a failure takes longer than having nothing to
 * record.
 */
async function verifyClient(clientId: string, secret: string, context: PublicContext): Promise<CredentialRow> {
  const { rateLimiter, sourceAddress } = context
  const answerAt = performance.now() + refusalMs
  // Who guesses ids is refused before the directory is asked.
  if (rateLimiter.isKnownFull(addressBucket(sourceAddress))) await guardAddress(rateLimiter, sourceAddress)
  const found = isUuid(clientId) ? await readCredential(clientId, context) : undefined
  const isRight = isOneOf(context.secretPeppers, secret, found?.secrets ?? [])
  if (found && isRight && !found.credential.isDisabled) return found.credential

  if (!found) await guardAddress(rateLimiter, sourceAddress)
  else if (!isRight) await refuseWrongSecret(found.credential, context)
  await sleep(Math.max(0, answerAt - performance.now()))
  throw new ApiError(
    credentialErrors.invalid_client,
    'There is no such credential, or the secret is wrong.',
    unauthorized,
  )
}

/**
 * Counts a wrong secret, or throws 429. In a bucket of its own for each address: in the credential's, a stranger could
 * use up its owner's requests.
 */
async function refuseWrongSecret(credential: CredentialRow, context: PublicContext): Promise<void> {
  const { sourceAddress } = context
  const key = `wrong-secret:${credential.clientId}:${sourceAddress}`
  const attempt = await context.rateLimiter.take({ key, limit: failuresPerMinuteMax })
  if (!attempt.accepted) throw rateLimited(attempt)
  await recordFailure(context.databases, { ...credential, sourceAddress })
}

const failuresPerMinuteMax = 30
// Longer than recording a failure takes on a busy database, too short to matter to somebody who mistyped.
const refusalMs = 100

function readCredential(
  clientId: string,
  { databases }: PublicContext,
): Promise<{ credential: CredentialRow; secrets: SealedSecret[] } | undefined> {
  return inDirectoryTransaction(databases, { clientId, access: 'read' }, async (tx) => {
    const [credential, secrets] = await Promise.all([findCredential(tx, clientId), listLiveSecrets(tx, clientId)])
    return credential && { credential, secrets }
  })
}

/** A successful POST /auth is a request of the credential like any other. */
async function countRequest({ clientId, requestsPerMinute }: CredentialRow, context: PublicContext): Promise<void> {
  const decision = await context.rateLimiter.take(credentialBucket(clientId, requestsPerMinute))
  context.addHeaders(rateLimitHeaders(decision))
  if (!decision.accepted) throw rateLimited(decision)
}

async function forgetFailures(credential: CredentialRow, { databases }: PublicContext): Promise<void> {
  const { tenantId } = credential
  await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) => endStreak(tx, credential))
}
