import { issueInvitation } from '../../../src/access/invitations/issue-invitation.ts'
import { addUser } from '../../../src/access/users/add-user.ts'
import { duties as allDuties, type Duty } from '../../../src/platform/api/declare/duties.ts'
import { inDirectoryTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import { type ApiResponse, callApi } from '../installation/api-client.ts'
import { freePort } from '../installation/process.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { sharedInstallation } from '../installation/shared-installation.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { TestAuthenticator } from './authenticator.ts'

/** An operator API with a host name, as passkeys need it, and shortcuts for people who sign in there. */
export class SignInWorld {
  readonly installation: TestInstallation
  readonly origin: string
  readonly api: RunningApi

  private constructor(installation: TestInstallation, origin: string, api: RunningApi) {
    this.installation = installation
    this.origin = origin
    this.api = api
  }

  /** Starts in the shared installation unless there are settings. Tests that need a worker pass some, if only `{}`. */
  static async start(settings?: Record<string, string>, port?: number): Promise<SignInWorld> {
    const operatorPort = port ?? (await freePort())
    const origin = `http://localhost:${operatorPort}`
    const open = settings ? (own: Record<string, string>) => TestInstallation.create(own) : sharedInstallation
    const installation = await open({
      OPERATOR_BASE_URL: origin,
      OPERATOR_PORT: String(operatorPort),
      // Counts requests in its own memory: all tests share one address, which has a limit of sign-ins.
      REDIS_URL: '',
      ...settings,
    })
    const api = await installation.startOperatorApi({ OPERATOR_PORT: String(operatorPort) })
    return new SignInWorld(installation, origin, api)
  }

  /** Calls the API as its pages do; `cookie` is the value of the session cookie. */
  call(
    method: string,
    path: string,
    { body, cookie, headers = {} }: { body?: unknown; cookie?: string; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> {
    const page = { 'sec-fetch-site': 'same-origin', 'x-console': '1' }
    const session = cookie === undefined ? {} : { cookie: `__Host-session=${cookie}` }
    const own = { ...page, ...session, ...headers }
    return callApi(this.origin, method, path, {
      prefix: '/operator',
      headers: own,
      body,
    })
  }

  /** Adds a person to a tenant and returns the secret of their invitation. */
  async invite(
    tenantId: string,
    {
      kind = 'invitation',
      userId,
      duties = allDuties,
    }: { kind?: 'invitation' | 'break_glass'; userId?: string; duties?: readonly Duty[] } = {},
  ): Promise<{ userId: string; secret: string }> {
    const { databases, config } = this.installation
    return inDirectoryTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
      const email = `${crypto.randomUUID()}@example.com`
      const granted = duties.map((duty) => ({ duty, offeringIds: null }))
      const person = { kind: 'person', name: 'Grace', email, invitedBy: null, duties: granted } as const
      const added = userId ? { userId } : await addUser(tx, { tenantId, ...person })
      if ('rejected' in added) throw new Error(added.rejected)
      const invitation = { tenantId, userId: added.userId, kind, operatorUrl: this.origin, now: new Date() }
      const { link } = await issueInvitation(tx, config.secretPeppers, invitation)
      return { userId: added.userId, secret: new URL(link).hash.slice(1) }
    })
  }

  /** Lets an invited person accept with a new passkey. */
  async accept(secret: string): Promise<{ response: ApiResponse; authenticator: TestAuthenticator; cookie: string }> {
    const authenticator = new TestAuthenticator(this.origin)
    const options = await this.call('POST', '/invitations/passkey/options', { body: { invitation: secret } })
    if (options.status !== 200) return { response: options, authenticator, cookie: '' }
    const credential = authenticator.create(options.body.options)
    const body = { invitation: secret, name: 'Key', credential }
    const response = await this.call('POST', '/invitations/accept', { body })
    return { response, authenticator, cookie: sessionCookieIn(response) }
  }

  async person(tenantId: string, duties?: readonly Duty[]) {
    const { userId, secret } = await this.invite(tenantId, duties && { duties })
    const accepted = await this.accept(secret)
    if (accepted.response.status !== 200) throw new Error(accepted.response.text)
    return { userId, ...accepted }
  }

  async signIn(authenticator: TestAuthenticator, more: Parameters<TestAuthenticator['use']>[1] = {}) {
    const { body } = await this.call('POST', '/sign-in/passkey/options')
    const credential = authenticator.use(body.options, more)
    return { credential, response: await this.call('POST', '/sign-in/passkey', { body: { credential } }) }
  }

  async stepUp(authenticator: TestAuthenticator, cookie: string): Promise<ApiResponse> {
    const { body } = await this.call('POST', '/step-up/options', { cookie })
    return this.call('POST', '/step-up', { cookie, body: { credential: authenticator.use(body.options) } })
  }

  /** Changes rows, as time or an intruder would. */
  sql(text: string, values: unknown[]): Promise<unknown> {
    return this.installation.rows(text, values)
  }
}

/** Returns the value of the session cookie that a response sets, or ''. */
export function sessionCookieIn({ headers }: { headers: Headers }): string {
  const [, value = ''] = /__Host-session=([^;]*)/.exec(headers.getSetCookie().join('\n')) ?? []
  return value
}
