import type { KeyObject } from 'node:crypto'
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { epochSeconds } from '../../base/clock.ts'
import { isUuid } from '../../base/ids.ts'
import type { KeyRing } from '../../base/key-ring.ts'
import { isScope, type Scope } from '../declare/scopes.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

export interface TokenClaims {
  clientId: string
  tenantId: string
  scopes: readonly Scope[]
  apiVersion: string
  /** Epoch seconds, as in the token. */
  issuedAt: number
}

const tokenLifetimeSeconds = 600

const issuer = 'st-external-api'
const audience = 'st-api'
const algorithm = 'HS256'

// The clocks of one installation may differ by this much. It only affects tokens "from the future": the expiry of a
// token never moves.
const clockSkewSeconds = 5

export async function issueToken(ring: KeyRing, claims: TokenClaims): Promise<{ token: string; expiresAt: Date }> {
  const expiry = claims.issuedAt + tokenLifetimeSeconds
  const token = await new SignJWT({
    client_id: claims.clientId,
    tenant_id: claims.tenantId,
    scopes: claims.scopes,
    api_version: claims.apiVersion,
  })
    .setProtectedHeader({ alg: algorithm, kid: ring.current.id, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(expiry)
    .sign(ring.current.hmacKey)
  return { token, expiresAt: new Date(expiry * 1000) }
}

/**
 * Verifies that this environment issued the token and that it is still valid; throws token_invalid or token_expired.
 * Does not check revocation: the pipeline checks that separately on every request.
 */
export async function verifyToken(ring: KeyRing, token: string, now: Date): Promise<TokenClaims> {
  const known = verifiedTokens.get(ring)?.get(token)
  // An expired token is verified again and then rejected. So is one from the future, after a clock was set back.
  if (known && known.issuedAt <= epochSeconds(now) && epochSeconds(now) < known.issuedAt + tokenLifetimeSeconds)
    return known
  const claims = await verifyUnknownToken(ring, token, now)
  cache(ring, token, claims)
  return claims
}

// A client sends the same token for ten minutes, and verifying it takes longer than all other checks together. The key
// is the whole token with its signature, so a token that differs in a single character is not in the cache.
const verifiedTokens = new WeakMap<KeyRing, Map<string, TokenClaims>>()
// About 20 MB. A full cache is cleared, and tokens are verified again.
const tokensCachedMax = 20_000

function cache(ring: KeyRing, token: string, claims: TokenClaims): void {
  const ofRing = verifiedTokens.get(ring) ?? new Map<string, TokenClaims>()
  if (ofRing.size >= tokensCachedMax) ofRing.clear()
  verifiedTokens.set(ring, ofRing.set(token, claims))
}

async function verifyUnknownToken(ring: KeyRing, token: string, now: Date): Promise<TokenClaims> {
  const payload = await verifiedPayload(ring, token, now)
  const { client_id, tenant_id, scopes, api_version, iat, exp } = payload
  const isComplete =
    typeof client_id === 'string' &&
    isUuid(client_id) &&
    typeof tenant_id === 'string' &&
    isUuid(tenant_id) &&
    Array.isArray(scopes) &&
    scopes.length > 0 &&
    scopes.every(isScope) &&
    typeof api_version === 'string' &&
    typeof iat === 'number' &&
    typeof exp === 'number'
  // The signature is ours, so only a bug or a stolen key gets here. Neither may produce a token with a longer lifetime.
  if (!isComplete || exp - iat !== tokenLifetimeSeconds || iat > epochSeconds(now) + clockSkewSeconds)
    throw invalidToken()
  return { clientId: client_id, tenantId: tenant_id, scopes, apiVersion: api_version, issuedAt: iat }
}

async function verifiedPayload(ring: KeyRing, token: string, now: Date) {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(ring, kid), {
      algorithms: [algorithm],
      issuer,
      audience,
      currentDate: now,
      requiredClaims: ['iat', 'exp'],
    })
    return payload
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired)
      throw new ApiError(requestErrors.token_expired, 'The access token has expired. Get a new one from POST /auth.', {
        ...unauthorized,
        presented: { clientId: clientIdIn(error.payload) },
      })
    if (error instanceof joseErrors.JOSEError) throw invalidToken()
    throw error
  }
}

/** The signature has been verified, so the claims are ours. */
function clientIdIn({ client_id }: JWTPayload): string | undefined {
  return typeof client_id === 'string' ? client_id : undefined
}

/** Only keys of our ring are used: key references in the token's header (jku, jwk, x5u) are ignored. */
function keyOf(ring: KeyRing, kid: string | undefined): KeyObject {
  const key = kid === undefined ? undefined : ring.find(kid)
  if (!key) throw new joseErrors.JWKSNoMatchingKey()
  return key.hmacKey
}

export const unauthorized = { headers: { 'www-authenticate': 'Bearer' } }

function invalidToken(): ApiError {
  return new ApiError(
    requestErrors.token_invalid,
    'The access token is not valid here. Get a new one from POST /auth.',
    unauthorized,
  )
}
