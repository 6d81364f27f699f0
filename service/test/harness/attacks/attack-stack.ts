import { request } from 'node:http'
import type { Role } from '../../../src/platform/api/declare/duties.ts'
import { OperatorClient } from '../callers/operator-client.ts'
import { PacedChain } from '../chain/paced-chain.ts'
import { TestTenant } from '../data/tenant.ts'
import type { RunningProcess } from '../installation/process.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import { type ApiProcess, TestInstallation } from '../installation/test-installation.ts'
import { Mailbox } from '../servers/mailbox.ts'

/** Requests from this address of the machine come from a trusted proxy. */
export const proxyAddress = '127.0.0.9'

/** A complete installation under attack: a database, Redis, a mail server and processes, which start on first use. */
export class AttackStack {
  readonly installation: TestInstallation
  readonly mailbox: Mailbox
  #api: Promise<ApiProcess> | undefined
  #operatorApi: Promise<ApiProcess> | undefined
  #worker: Promise<RunningProcess> | undefined
  #chain: Promise<PacedChain> | undefined

  private constructor(installation: TestInstallation, mailbox: Mailbox) {
    this.installation = installation
    this.mailbox = mailbox
  }

  static async create(): Promise<AttackStack> {
    const mailbox = await Mailbox.open()
    return new AttackStack(
      await TestInstallation.create({ SMTP_URL: mailbox.url, REQUESTS_PER_CELL_MAX: '100' }),
      mailbox,
    )
  }

  async end(): Promise<void> {
    await this.installation.end()
    await this.mailbox.close()
    await (await this.#chain)?.stop()
  }

  api(): Promise<ApiProcess> {
    this.#api ??= this.installation.startApiProcess({ TRUSTED_PROXIES: proxyAddress })
    return this.#api
  }

  operatorApi(): Promise<ApiProcess> {
    this.#operatorApi ??= this.installation.startOperatorApiProcess()
    return this.#operatorApi
  }

  worker(): Promise<RunningProcess> {
    this.#worker ??= this.installation.startWorkerProcess()
    return this.#worker
  }

  /**
   * Returns a chain with a block per second. Attacks that mint share it: the database knows one chain per name, with
   * the factory and the blocks that the indexer has read.
   */
  chain(): Promise<PacedChain> {
    this.#chain ??= PacedChain.start({ blockSeconds: 1 })
    return this.#chain
  }

  /** Starts all processes that a distribution needs. */
  async running(): Promise<RunningInstallation> {
    const [api, operatorApi] = await Promise.all([this.api(), this.operatorApi(), this.worker()])
    return { installation: this.installation, api, operatorApi }
  }

  async tenant(): Promise<TestTenant> {
    return TestTenant.create(this.installation, await this.api())
  }

  /** Creates a user of the tenant, by default with all duties. */
  async user({ id }: { id: string }, role: Role | 'all duties' = 'all duties'): Promise<OperatorClient> {
    return OperatorClient.create(this.installation, await this.operatorApi(), id, role)
  }

  /** Creates an order, by default of 125.00 EUR. */
  async order(tenant: TestTenant, units?: string) {
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const accountId = await tenant.account()
    const orderId = await tenant.order(offeringId, accountId, units)
    const api = await this.installation.operatorApi()
    const { payment_reference: reference } = await api.call(tenant.id, 'GET', `/orders/${orderId}`)
    return { offeringId, accountId, orderId, reference: String(reference) }
  }
}

interface Sent {
  readonly method?: string
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Body of a POST, to send as JSON. */
  readonly json?: object
  /** The address that the request comes from. */
  readonly from?: string
}

export interface RawResponse {
  readonly status: number
  readonly text: string
  readonly ms: number
}

/** Sends a request on a new connection. Unlike fetch, it can send any header, even Host. */
export function send(url: string, { json, token, from, ...sending }: Sent = {}): Promise<RawResponse> {
  const { method = json ? 'POST' : 'GET', body = json && JSON.stringify(json) } = sending
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(json && { 'content-type': 'application/json' }),
    ...sending.headers,
  }
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, timeout: 30_000, ...(from && { localAddress: from }) }
    const sent = request(url, options, (response) => {
      const parts: Buffer[] = []
      response.on('error', reject)
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - startedAt })
      })
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('no response within 30 s')))
    sent.end(body)
  })
}
