import type { Role } from '../../../src/platform/api/declare/duties.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import { confirmAs } from './second-person.ts'

/** A user of a tenant who calls the operator API, and shortcuts for common requests. */
export class OperatorClient {
  readonly who: TestOperator
  readonly #installation: TestInstallation
  readonly #api: RunningApi

  private constructor(installation: TestInstallation, api: RunningApi, who: TestOperator) {
    this.#installation = installation
    this.#api = api
    this.who = who
  }

  static async create(
    installation: TestInstallation,
    api: RunningApi,
    tenantId: string,
    role: Role | 'all duties' = 'operator',
  ): Promise<OperatorClient> {
    const who = await installation.createOperator(tenantId, role === 'all duties' ? {} : { role })
    return new OperatorClient(installation, api, who)
  }

  get(path: string): Promise<ApiResponse> {
    return this.#api.call('GET', path, { token: this.who.token })
  }

  /** Reads a list page by page. Returns all its results. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  async all(path: string, query: string, search?: object): Promise<any[]> {
    const { status, body, text } = await (search ? this.post(path + query, search) : this.get(path + query))
    if (status !== 200) throw new Error(text)
    const { next } = body.pagination
    return next ? [...body.results, ...(await this.all(path, new URL(next).search, search))] : body.results
  }

  post(path: string, body?: unknown, key?: string): Promise<ApiResponse> {
    return this.#api.call('POST', path, {
      token: this.who.token,
      body,
      ...(key === undefined ? {} : { headers: { 'x-idempotency-key': key } }),
    })
  }

  patch(path: string, body: unknown): Promise<ApiResponse> {
    return this.#api.call('PATCH', path, { token: this.who.token, body })
  }

  /** Sends a file, by default a bank statement. */
  upload(path: string, body: string | Uint8Array, type = 'application/xml'): Promise<ApiResponse> {
    return this.#api.call('POST', path, { token: this.who.token, body, headers: { 'content-type': type } })
  }

  /** Receives a file, by default XML for a bank. */
  download(path: string, fileType = 'application/xml'): Promise<ApiResponse> {
    return this.#api.call('POST', path, { token: this.who.token, fileType })
  }

  /** Posts a request that needs a second person, who confirms it at once. */
  async postTogether(path: string, body?: unknown): Promise<ApiResponse> {
    const second = await this.#installation.createOperator(this.who.tenantId)
    return confirmAs(this.#api, second, await this.post(path, body))
  }
}
