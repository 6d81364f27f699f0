import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { IdentityProviders, ProvidedPerson, ProviderChecks } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import type { ProviderSetting } from '../../platform/base/config.ts'
import type { Logger } from '../../platform/base/log.ts'
import { authenticationTimeOf, factorsOf, requireStepUp } from './provider-factors.ts'
import { signInErrors } from './sign-in.errors.ts'

interface DiscoveredProvider {
  readonly configuration: Configuration
  readonly keys: JWTVerifyGetKey
}

/** OpenID providers of the settings: authorization code flow with PKCE, on the server. */
export class OidcProviders implements IdentityProviders {
  readonly #settings: ReadonlyMap<string, ProviderSetting>
  readonly #discovered = new Map<string, Promise<DiscoveredProvider>>()

  readonly #log: Logger

  constructor(settings: ReadonlyMap<string, ProviderSetting>, log: Logger) {
    this.#settings = settings
    this.#log = log
  }

  get names(): string[] {
    return [...this.#settings.keys()]
  }

  issuerOf(name: string): string | undefined {
    return this.#settings.get(name)?.issuer
  }

  async start(
    name: string,
    redirectUri: string,
    { isStepUp }: { readonly isStepUp: boolean },
  ): Promise<{ url: string; checks: ProviderChecks }> {
    const { configuration } = await this.#provider(name)
    const checks = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      // With `max_age`, a provider must say when the person authenticated. A long one rarely asks people to do so
      // again.
      ...(isStepUp ? { max_age: '0', prompt: 'login' } : { max_age: String(maxAgeSeconds) }),
    })
    return { url: url.href, checks }
  }

  async finish(
    name: string,
    callbackUrl: string,
    checks: ProviderChecks & { readonly isStepUp: boolean; readonly now: Date },
  ): Promise<ProvidedPerson> {
    const { configuration } = await this.#provider(name)
    const tokens = await authorizationCodeGrant(configuration, new URL(callbackUrl), {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the provider returned no id token')
    const { sub: subject, sid } = claims
    const { issuer, secondFactors: accepted } = this.#setting(name)
    const authenticatedAt = authenticationTimeOf(claims, checks.now)
    const hasSecondFactor = factorsOf(claims).some((factor) => accepted.includes(factor))
    if (checks.isStepUp) requireStepUp(name, accepted, { authenticatedAt, hasSecondFactor, now: checks.now })
    return {
      issuer,
      subject,
      sessionId: typeof sid === 'string' ? sid.slice(0, sessionIdLengthMax) : null,
      authenticatedAt,
      secondFactorAt: hasSecondFactor ? authenticatedAt : null,
    }
  }

  async verifyLogout(name: string, logoutToken: string): Promise<{ subject: string; sessionId: string | undefined }> {
    const { configuration, keys } = await this.#provider(name)
    const { issuer } = configuration.serverMetadata()
    const { clientId } = this.#setting(name)
    const { payload } = await jwtVerify(logoutToken, keys, {
      issuer,
      audience: clientId,
      requiredClaims: ['iat', 'jti', 'sub'],
      maxTokenAge: logoutSecondsMax,
    })
    const { sub: subject, sid, nonce, events } = payload
    // An id token has a nonce and no events. Without these checks, one could be used to end sessions.
    if (nonce !== undefined || !isObject(events) || !isObject(events[logoutEvent]) || subject === undefined)
      throw new Error('the token is not a logout token')
    return { subject, sessionId: typeof sid === 'string' ? sid : undefined }
  }

  #setting(name: string): ProviderSetting {
    const setting = this.#settings.get(name)
    if (!setting) throw new ApiError(signInErrors.provider_unknown, `No provider is called ${name} here.`)
    return setting
  }

  /** Discovers the provider on first use, and again after a failure: the API must start while a provider is down. */
  #provider(name: string): Promise<DiscoveredProvider> {
    const setting = this.#setting(name)
    const known = this.#discovered.get(name)
    if (known) return known
    const discovering = discover(setting).catch((error: unknown) => {
      this.#discovered.delete(name)
      this.#log.warn({ err: error, provider: name }, 'identity provider unavailable')
      throw new ApiError(signInErrors.provider_unavailable, `The provider ${name} does not respond. Try again later.`)
    })
    this.#discovered.set(name, discovering)
    return discovering
  }
}

async function discover({ issuer, clientId, clientSecret }: ProviderSetting): Promise<DiscoveredProvider> {
  const url = new URL(issuer)
  // The settings accept an http issuer in development only.
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : []
  const configuration = await discovery(url, clientId, clientSecret, undefined, { execute, timeout: timeoutSeconds })
  const { jwks_uri: jwksUri } = configuration.serverMetadata()
  if (!jwksUri) throw new Error('the provider has no jwks_uri')
  return { configuration, keys: createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: timeoutSeconds * 1_000 }) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const timeoutSeconds = 10
const sessionIdLengthMax = 500
const maxAgeSeconds = 30 * 86_400
const logoutSecondsMax = 300
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
