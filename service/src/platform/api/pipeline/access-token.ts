import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
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
  /** Whole seconds, as in the token. */
  issuedAt: number
}

const tokenLifetimeSeconds = 600

const issuer = 'st-external-api'
const audience = 'st-api'
const algorithm = 'HS256'

// Machines of one installation may disagree by this much about the time. It only concerns tokens "from the future":
// a token's end is never moved.
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
    .sign(ring.current.secret)
  return { token, expiresAt: new Date(expiry * 1000) }
}

/**
 * The claims of a token that this environment issued and that is still valid; throws token_invalid or token_expired.
 * Whether it has been revoked since is another question, which is asked on every request.
 */
export async function verifyToken(ring: KeyRing, token: string, now: Date): Promise<TokenClaims> {
  const known = verifiedTokens.get(ring)?.get(token)
  // One that has ended, or that a clock set back makes one from the future, is looked at again and refused for that.
  if (known && known.issuedAt <= epochSeconds(now) && epochSeconds(now) < known.issuedAt + tokenLifetimeSeconds)
    return known
  const claims = await verifyUnknownToken(ring, token, now)
  remember(ring, token, claims)
  return claims
}

// A client sends the same token for ten minutes, and to verify it takes longer than all other checks together. Kept
// under the whole token, signature included: one that differs in a single character is another one.
const verifiedTokens = new WeakMap<KeyRing, Map<string, TokenClaims>>()
// About 20 MB. Past it, everything is simply verified again.
const tokensRememberedMax = 20_000

function remember(ring: KeyRing, token: string, claims: TokenClaims): void {
  const ofRing = verifiedTokens.get(ring) ?? new Map<string, TokenClaims>()
  if (ofRing.size >= tokensRememberedMax) ofRing.clear()
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
  // The signature is ours, so only a bug or a stolen key gets here; a token that lives longer than ours is neither's
  // due.
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
      throw new ApiError(
        requestErrors.token_expired,
        'The access token has expired. Get a new one from POST /auth.',
        unauthorized,
      )
    if (error instanceof joseErrors.JOSEError) throw invalidToken()
    throw error
  }
}

/** Only keys of our ring are ever used: what a token says of keys elsewhere (jku, jwk, x5u) is never looked at. */
function keyOf(ring: KeyRing, kid: string | undefined): Buffer {
  const key = kid === undefined ? undefined : ring.find(kid)
  if (!key) throw new joseErrors.JWKSNoMatchingKey()
  return key.secret
}

export const unauthorized = { headers: { 'www-authenticate': 'Bearer' } }

function invalidToken(): ApiError {
  return new ApiError(
    requestErrors.token_invalid,
    'The access token is not valid here. Get a new one from POST /auth.',
    unauthorized,
  )
}
