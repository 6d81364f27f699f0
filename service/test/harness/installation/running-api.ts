import { stderr } from 'node:process'
import type { IssuedCredential } from '../../../src/access/credentials/issue-credential.ts'
import { scopes } from '../../../src/platform/api/declare/scopes.ts'
import { until } from '../wait.ts'
import { type ApiResponse, type Call, callApi, type ReceivedResponse } from './api-client.ts'
import { lastReadiness, type Served } from './log-lines.ts'

/** An API and its base URL. A test that kills it, sets its clock or reads its memory runs it as a process. */
export class RunningApi<Process extends Served = Served> {
  readonly process: Process
  readonly baseUrl: string
  readonly prefix: '/api' | '/operator'

  constructor(process: Process, baseUrl: string, prefix: '/api' | '/operator' = '/api') {
    this.process = process
    this.baseUrl = baseUrl
    this.prefix = prefix
  }

  async call(method: string, path: string, call?: Call): Promise<ReceivedResponse> {
    const response = await callApi(this.baseUrl, method, path, { prefix: this.prefix, ...call })
    // A 500 is a bug. Prints the log of the process, because the response must not contain the cause.
    if (response.status === 500) stderr.write(`${this.process.output.slice(-2).join('\n')}\n`)
    return response
  }

  auth({ clientId, clientSecret }: IssuedCredential, requested: readonly string[] = scopes): Promise<ApiResponse> {
    return this.call('POST', '/auth', { body: { client_id: clientId, client_secret: clientSecret, scopes: requested } })
  }

  /** Returns the status of /readyz and its logged checks, which may be those of an earlier call. */
  async health(): Promise<{ httpStatus: number; readiness: string; checks: Record<string, string> }> {
    const response = await fetch(`${this.baseUrl}/readyz`)
    await response.text()
    return { httpStatus: response.status, ...lastReadiness(this.process) }
  }

  /** Waits until /readyz has this status and logs these checks. */
  async reports(httpStatus: number, readiness: string, checks: Record<string, string> = {}): Promise<void> {
    await until(`/readyz is ${httpStatus} and ${readiness}`, async () => {
      const health = await this.health()
      const hasChecks = Object.entries(checks).every(([name, result]) => health.checks[name] === result)
      return health.httpStatus === httpStatus && health.readiness === readiness && hasChecks
    })
  }

  /** Returns a token. Throws with the response body if POST /auth fails. */
  async token(credential: IssuedCredential, requested?: readonly string[]): Promise<string> {
    const response = await this.auth(credential, requested)
    if (response.status !== 200) throw new Error(`POST /auth returned ${response.status}: ${response.text}`)
    return response.body.access_token
  }
}
