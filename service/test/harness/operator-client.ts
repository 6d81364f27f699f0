import type { Role } from '../../src/platform/api/declare/roles.ts'
import type { ApiResponse } from './api-client.ts'
import type { RunningApi, TestInstallation, TestOperator } from './service.ts'

/** A user of a tenant who calls the operator API, and shortcuts for common requests. */
export class OperatorClient {
  readonly who: TestOperator
  readonly #api: RunningApi

  private constructor(api: RunningApi, who: TestOperator) {
    this.#api = api
    this.who = who
  }

  static async create(
    installation: TestInstallation,
    api: RunningApi,
    tenantId: string,
    role: Role = 'operator',
  ): Promise<OperatorClient> {
    return new OperatorClient(api, await installation.createOperator(tenantId, { role }))
  }

  get(path: string): Promise<ApiResponse> {
    return this.#api.call('GET', path, { token: this.who.token })
  }

  post(path: string, body?: unknown, key?: string): Promise<ApiResponse> {
    return this.#api.call('POST', path, {
      token: this.who.token,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { headers: { 'x-idempotency-key': key } }),
    })
  }
}
