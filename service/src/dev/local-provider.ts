import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import {
  type Client,
  type Configuration,
  type errors,
  type Grant,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
// @ts-expect-error -- The types lack the adapter that is the default, but then prints a warning at each start.
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { demoPeople, type LocalPerson } from './demo-people.ts'
import { errorPage, loginPage, logoutPage, pageHeaders, signedOutPage } from './local-provider-pages.ts'

export interface LocalClient {
  clientId: string
  clientSecret: string
  redirectUris: string[]
  /** ID tokens get the claim `sid` only if this is set, because it serves only this logout. */
  backchannelLogoutUri?: string
  postLogoutRedirectUris?: string[]
}

interface Options {
  /** 0 takes a free port. The issuer includes the port, so identities last only as long as the port stays the same. */
  port?: number
  people?: readonly LocalPerson[]
  clients: readonly LocalClient[]
}

/** Authentication that the provider vouches for, by the checkbox on its login page. */
export const localAuthentication = {
  password: { acr: 'https://refeds.org/profile/sfa', amr: ['pwd'] },
  secondFactor: { acr: 'https://refeds.org/profile/mfa', amr: ['pwd', 'mfa'] },
}

/**
 * A real OpenID provider (oidc-provider) on loopback, for tests and for development without an external provider.
 * People sign in by a click, without a password. All state is in memory: a restart ends every session.
 */
export class LocalProvider {
  readonly issuer: string
  readonly #server: Server
  readonly #provider: Provider
  /** The person of each session, by its uid. */
  readonly #personOf = new Map<string, string>()
  readonly #people: readonly LocalPerson[]

  private constructor(server: Server, issuer: string, people: readonly LocalPerson[], configuration: Configuration) {
    this.#server = server
    this.issuer = issuer
    this.#people = people
    this.#provider = new Provider(issuer, { ...configuration, adapter: createMemoryAdapter() })
    this.#provider.on('session.saved', ({ uid, accountId }) => {
      if (accountId) this.#personOf.set(uid, accountId)
    })
    const respond = this.#provider.callback()
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith('/interaction/')) void this.#interact(request, response)
      else void respond(request, response)
    })
  }

  /**
   * Starts a provider. The issuer is an IP address, so that it is another site than an application on `localhost`:
   * browsers then treat cookies in the redirects between them as they do in production.
   */
  static async open({ port = 0, people = demoPeople, clients }: Options): Promise<LocalProvider> {
    const configuration = await configurationOf(people, clients)
    const server = createServer()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return new LocalProvider(server, issuer, people, configuration)
  }

  /**
   * Ends the person's sessions in every browser and sends logout tokens to the applications, as an administrator of the
   * provider does when a person leaves. Throws if an application does not accept its token.
   */
  async endSessions(personId: string): Promise<void> {
    for (const [uid, owner] of this.#personOf) {
      if (owner !== personId) continue
      const session = await this.#provider.Session.findByUid(uid)
      await session?.destroy()
      for (const clientId of Object.keys(session?.authorizations ?? {})) {
        const client = (await this.#provider.Client.find(clientId)) as LogoutClient | undefined
        const sid = session?.sidFor(clientId)
        if (client?.backchannelLogoutUri && sid) await client.backchannelLogout(personId, sid)
      }
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { params } = await this.#provider.interactionDetails(request, response)
      if (request.method !== 'POST')
        return void response.writeHead(200, pageHeaders).end(loginPage(this.#people, String(params['client_id'])))
      const form = new URLSearchParams(await text(request))
      const person = this.#people.find(({ id }) => id === form.get('person'))
      const how = form.has('second_factor') ? localAuthentication.secondFactor : localAuthentication.password
      const result = person
        ? { login: { accountId: person.id, ...how } }
        : { error: 'access_denied', error_description: 'The person cancelled the sign-in.' }
      await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    } catch (error) {
      const { error: code, error_description: description } = error as Partial<errors.OIDCProviderError>
      if (!response.headersSent) response.writeHead(400, pageHeaders)
      response.end(errorPage(code ?? 'invalid_request', description))
    }
  }
}

/** Adds a method that the type definitions do not declare. */
type LogoutClient = Client & { backchannelLogout(accountId: string, sid: string): Promise<void> }

async function configurationOf(
  people: readonly LocalPerson[],
  clients: readonly LocalClient[],
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' } as never] },
    clients: clients.map(metadataOf),
    findAccount: (_, id) => {
      const person = people.find((one) => one.id === id)
      const claims = async () => ({ sub: id, email: person?.email, email_verified: true, name: person?.name })
      return person && { accountId: id, claims }
    },
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'profile'],
    acrValues: Object.values(localAuthentication).map(({ acr }) => acr),
    claims: { openid: ['sub', 'acr', 'amr', 'auth_time'], email: ['email', 'email_verified'], profile: ['name'] },
    // Puts email and name into the ID token, so that the application needs no second request.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    loadExistingGrant: grantEverything,
    clientBasedCORS: () => false,
    fetch: fetchFromLoopback,
    ttl: {
      AccessToken: hourSeconds,
      AuthorizationCode: 60,
      Grant: daySeconds,
      IdToken: hourSeconds,
      Interaction: hourSeconds,
      Session: daySeconds,
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      // The default pages load a font from another host.
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => show(ctx, logoutPage(form)),
        postLogoutSuccessSource: (ctx) => show(ctx, signedOutPage()),
      },
    },
    renderError: (ctx, { error, error_description: description }) => show(ctx, errorPage(error, description)),
  }
}

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

function metadataOf(client: LocalClient): NonNullable<Configuration['clients']>[number] {
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris ?? [],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    ...(client.backchannelLogoutUri && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
  }
}

/** Grants everything instead of showing a consent page: the applications are ours. */
async function grantEverything({ oidc }: KoaContextWithOIDC): Promise<Grant> {
  const { client, session, provider } = oidc
  const existing = await provider.Grant.find(session?.grantIdFor(client?.clientId ?? '') ?? '')
  if (existing) return existing
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: client?.clientId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

/** Fetches from loopback addresses, which oidc-provider's own dispatcher refuses, and from nowhere else. */
const fetchFromLoopback: typeof fetch = (input, options) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
    throw new Error(`The local provider sends requests to loopback addresses only, not to ${url.host}.`)
  const { dispatcher: _, ...others } = options ?? {}
  return fetch(url, others)
}

function show(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set(pageHeaders)
  ctx.body = html
}
