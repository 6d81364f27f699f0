import { randomUUID } from 'node:crypto'
import type { Answer, Call } from './api-client.ts'
import { individual } from './bodies.ts'
import { Fixtures } from './fixtures.ts'
import type { RunningApi, TestInstallation } from './service.ts'

/**
 * A tenant with one credential that may do everything as often as it likes, and short ways to say what tests say often.
 */
export class TestTenant {
  readonly id: string
  readonly token: string
  readonly clientId: string
  readonly fixtures: Fixtures
  readonly #api: RunningApi

  private constructor(
    api: RunningApi,
    installation: TestInstallation,
    who: { id: string; token: string; clientId: string },
  ) {
    this.#api = api
    this.fixtures = new Fixtures(installation)
    this.id = who.id
    this.token = who.token
    this.clientId = who.clientId
  }

  static async create(installation: TestInstallation, api: RunningApi): Promise<TestTenant> {
    const id = await installation.createTenant('T')
    const credential = await installation.issueCredential(id, { requestsPerMinute: 60_000 })
    return new TestTenant(api, installation, { id, token: await api.token(credential), clientId: credential.clientId })
  }

  get(path: string): Promise<Answer> {
    return this.#api.call('GET', path, { token: this.token })
  }

  /** With a key that nobody has used, unless one is given. */
  post(path: string, body: unknown, key: string | undefined = randomUUID()): Promise<Answer> {
    return this.#send('POST', path, body, key)
  }

  patch(path: string, body?: unknown, key: string | undefined = randomUUID()): Promise<Answer> {
    return this.#send('PATCH', path, body, key)
  }

  async account(body: unknown = individual): Promise<string> {
    return created(await this.post('/accounts', body))
  }

  async order(offeringId: string, accountId: string, units = '1000000000'): Promise<string> {
    return created(await this.post(`/offerings/${offeringId}/orders`, { account_id: accountId, units }))
  }

  #send(method: string, path: string, body: unknown, key: string): Promise<Answer> {
    const call: Call = { token: this.token, headers: { 'x-idempotency-key': key } }
    return this.#api.call(method, path, body === undefined ? call : { ...call, body })
  }
}

function created(answer: Answer): string {
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}
