import { type Duty, duties } from '../../../src/platform/api/declare/duties.ts'
import { type ApiResponse, callApi } from './api-client.ts'

/** Part of a TestInstallation that creates callers. */
interface Installation {
  createOperator(tenantId: string, options: { duties: readonly Duty[] }): Promise<{ token: string }>
}

/** The operator API as one operator of each tenant calls it, for tests that only need data created by operators. */
export class OperatorApi {
  readonly #installation: Installation
  readonly #baseUrl: string
  readonly #tokens = new Map<string, Promise<{ token: string }>>()

  constructor(installation: Installation, baseUrl: string) {
    this.#installation = installation
    this.#baseUrl = baseUrl
  }

  /** Calls as an operator of the tenant, created by the first call. Throws if the response is an error. */
  async call(tenantId: string, method: string, path: string, body?: unknown): Promise<ApiResponse['body']> {
    // Leaves out the duty team, whose holders receive mails that some tests count.
    const known =
      this.#tokens.get(tenantId) ??
      this.#installation.createOperator(tenantId, { duties: duties.filter((duty) => duty !== 'team') })
    this.#tokens.set(tenantId, known)
    return this.callWith((await known).token, method, path, body)
  }

  /** Calls with the token of a given user. */
  async callWith(token: string, method: string, path: string, body?: unknown): Promise<ApiResponse['body']> {
    const response = await callApi(this.#baseUrl, method, path, { token, prefix: '/operator', body })
    if (response.status >= 400) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
    return response.body
  }
}
