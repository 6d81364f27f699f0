import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '../../../service/src/platform/api/declare/scopes.ts'
import { callApi } from '../../../service/test/harness/installation/api-client.ts'

interface Buyer {
  readonly baseUrl: string
  readonly credential: { clientId: string; clientSecret: string }
  readonly offeringId: string
  readonly accountIds: readonly string[]
  /** Number of integrators that buy at a time. */
  readonly buyers: number
}

const pauseMs = 250

/** Integrators that order, pay and read. They repeat nothing: each response other than a success counts as failed. */
export class UpgradeLoad {
  /** Orders that were created and paid successfully. */
  readonly orderIds: string[] = []
  readonly failures: { what: string; requestId: string | undefined }[] = []
  requests = 0
  readonly #buyer: Buyer
  #token = ''
  #isStopped = false

  constructor(buyer: Buyer) {
    this.#buyer = buyer
  }

  stop(): void {
    this.#isStopped = true
  }

  async run(): Promise<void> {
    await this.signIn()
    await Promise.all(
      Array.from({ length: this.#buyer.buyers }, async () => {
        while (!this.#isStopped) {
          await this.buy()
          await sleep(pauseMs)
        }
      }),
    )
  }

  async signIn(): Promise<void> {
    const { clientId, clientSecret } = this.#buyer.credential
    const body = await this.#call('POST', '/auth', { client_id: clientId, client_secret: clientSecret, scopes })
    this.#token = body?.access_token
  }

  async buy(): Promise<void> {
    const { offeringId, accountIds } = this.#buyer
    const account_id = accountIds[this.requests % accountIds.length]
    const orders = `/offerings/${offeringId}/orders`
    const order = await this.#call('POST', orders, { account_id, units: '100000000' })
    await this.#call('GET', `${orders}?limit=10`)
    if (!order) return
    const paid = await this.#call('POST', `/simulations/orders/${order.id}/payments`, { kind: 'exact' })
    await this.#call('GET', `${orders}/${order.id}`)
    if (paid) this.orderIds.push(order.id)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the body of any response
  async #call(method: string, path: string, body?: unknown): Promise<any> {
    this.requests += 1
    const headers = method === 'GET' ? {} : { 'x-idempotency-key': crypto.randomUUID() }
    const token = this.#token === '' ? undefined : this.#token
    try {
      const response = await callApi(this.#buyer.baseUrl, method, path, { token, headers, body })
      if (response.status < 300) return response.body
      const requestId = response.headers.get('x-request-id') ?? undefined
      this.failures.push({ what: `${method} ${path}: ${response.status} ${response.text}`, requestId })
    } catch (error) {
      const { message, cause } = error as Error
      this.failures.push({ what: `${method} ${path}: ${message} ${String(cause)}`, requestId: undefined })
    }
    return undefined
  }
}
