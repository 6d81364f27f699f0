import assert from 'node:assert/strict'
import type { OperatorClient } from '../callers/operator-client.ts'
import type { TestTenant } from '../data/tenant.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { type RunningInstallation, startApis } from '../installation/running-installation.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { until } from '../wait.ts'
import { type CamtEntry, type CamtOptions, camt053 } from './camt053.ts'
import { assertMoneyAddsUp } from './money-check.ts'
import { createPaymentDesk } from './payment-desk.ts'

/** A tenant with an open offering, an operator who imports bank statements, and a worker. An order costs 125.00 EUR. */
export class StatementWorld {
  readonly installation: TestInstallation
  readonly operatorApi: RunningApi
  readonly tenant: TestTenant
  readonly operator: OperatorClient
  readonly #desk: Awaited<ReturnType<typeof createPaymentDesk>>
  #balance = '1000.00'
  #sequence = 0

  private constructor(
    { installation, operatorApi }: RunningInstallation,
    desk: Awaited<ReturnType<typeof createPaymentDesk>>,
  ) {
    this.installation = installation
    this.operatorApi = operatorApi
    this.tenant = desk.tenant
    this.operator = desk.operator
    this.#desk = desk
  }

  /** Creates a tenant in a running installation, by default in a new one. */
  static async create(running?: RunningInstallation): Promise<StatementWorld> {
    const used = running ?? (await startApis(await TestInstallation.create()))
    if (!running) await used.installation.startWorker()
    return new StatementWorld(used, await createPaymentDesk(used))
  }

  end(): Promise<void> {
    return this.installation.end()
  }

  order(offeringId?: string): Promise<{ id: string; reference: string }> {
    return this.#desk.order(undefined, offeringId)
  }

  upload(xml: string): Promise<ApiResponse> {
    return this.operator.upload('/statements', xml)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  async readStatement(statementId: string): Promise<any> {
    const { status, body, text } = await this.operator.get(`/statements/${statementId}`)
    assert.equal(status, 200, text)
    return body
  }

  /** Waits until a worker has processed all entries of an upload. Returns the upload's body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  async processed(upload: ApiResponse): Promise<any> {
    assert.equal(upload.status, 201, upload.text)
    for (const { id } of upload.body.statements)
      await until('all entries are processed', async () => (await this.readStatement(id)).pending === 0)
    await assertMoneyAddsUp(this.installation, this.tenant.id)
    return upload.body
  }

  /**
   * Imports a file and waits until it is processed. Returns its entries and their states in the order of the file. Each
   * file begins with the closing balance of the previous one.
   */
  async importEntries(entries: CamtEntry[], options: CamtOptions = {}) {
    this.#sequence += 1
    const continued = { opening: this.#balance, sequence: String(this.#sequence) }
    const result = await this.processed(await this.upload(camt053({ entries, ...continued, ...options })))
    if (options.currency === undefined && !options.statements) this.#balance = result.statements[0].closing_balance
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
    const imported: any[] = []
    for (const { id } of result.statements)
      imported.push(...(await this.operator.get(`/statements/${id}/entries?direction=asc&limit=50`)).body.results)
    return { result, entries: imported, states: imported.map(({ state }: { state: string }) => state) }
  }

  orderState(orderId: string): Promise<[status: string, paid: number]> {
    return this.#desk.orderState(orderId)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
  refundsOf(orderId: string): Promise<any[]> {
    return this.#desk.refundsOf(orderId)
  }

  /** Returns the types of the events of an order, in order. */
  async orderEvents(orderId: string): Promise<string[]> {
    const rows = await this.installation.rows<{ type: string }>(
      `select type from (
           select type, created_at from cell.event_outbox where data ->> 'order_id' = $1
           union all select type, created_at from cell.event where data ->> 'order_id' = $1) events
         order by created_at`,
      [orderId],
    )
    return rows.map(({ type }) => type)
  }

  async paymentCount(orderId: string): Promise<number> {
    return (await this.operator.get(`/orders/${orderId}/payments`)).body.pagination.count
  }
}
