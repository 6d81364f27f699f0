import { randomUUID } from 'node:crypto'
import type { ApiResponse, Call } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { individual } from './bodies.ts'
import { Fixtures } from './fixtures.ts'

/** A tenant with one credential that has all scopes and a high rate limit, and shortcuts for common requests. */
export class TestTenant {
  readonly id: string
  readonly token: string
  readonly clientId: string
  readonly fixtures: Fixtures
  readonly #api: RunningApi

  private constructor(
    api: RunningApi,
    installation: TestInstallation,
    tenant: { id: string; token: string; clientId: string },
  ) {
    this.#api = api
    this.fixtures = new Fixtures(installation)
    this.id = tenant.id
    this.token = tenant.token
    this.clientId = tenant.clientId
  }

  static async create(installation: TestInstallation, api: RunningApi): Promise<TestTenant> {
    const id = await installation.createTenant('T')
    const credential = await installation.issueCredential(id, { requestsPerMinute: 60_000 })
    return new TestTenant(api, installation, { id, token: await api.token(credential), clientId: credential.clientId })
  }

  get(path: string): Promise<ApiResponse> {
    return this.#api.call('GET', path, { token: this.token })
  }

  /** Sends a new idempotency key unless one is given. */
  post(path: string, body: unknown, key: string | undefined = randomUUID()): Promise<ApiResponse> {
    return this.#send('POST', path, body, key)
  }

  patch(path: string, body?: unknown, key: string | undefined = randomUUID()): Promise<ApiResponse> {
    return this.#send('PATCH', path, body, key)
  }

  async account(body: unknown = individual): Promise<string> {
    return created(await this.post('/accounts', body))
  }

  async order(offeringId: string, accountId: string, units = '1000000000'): Promise<string> {
    return created(await this.post(`/offerings/${offeringId}/orders`, { account_id: accountId, units }))
  }

  #send(method: string, path: string, body: unknown, key: string): Promise<ApiResponse> {
    const call: Call = { token: this.token, headers: { 'x-idempotency-key': key } }
    return this.#api.call(method, path, body === undefined ? call : { ...call, body })
  }
}

function created(response: ApiResponse): string {
  if (response.status !== 201) throw new Error(response.text)
  return response.body.id
}
