import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorClient } from '../callers/operator-client.ts'
import { StreamFollower } from '../callers/stream-reader.ts'
import { amountOfBulkOrder, referenceOfBulkOrder } from '../faults/bulk-orders.ts'
import type { KeyedWriters } from '../faults/keyed-writers.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { camt053 } from '../money/camt053.ts'
import { assertMoneyAddsUp } from '../money/money-check.ts'
import { WebhookReceiver } from '../servers/webhook-receiver.ts'
import { until } from '../wait.ts'
import type { MoveWorld } from './move-world.ts'

interface Parts {
  readonly world: MoveWorld
  readonly writers: KeyedWriters
  readonly operatorApi: RunningApi
  readonly operator: OperatorClient
  readonly receiver: WebhookReceiver
  readonly stream: StreamFollower
  /** Number of the last event before the traffic starts. */
  readonly head: number
  readonly orders: number
}

/**
 * Everything that happens to a tenant besides the writes of its clients: an endpoint gets its events, an operator
 * follows the stream, and bank statements are imported one after the other, each with two credits that match nothing
 * and one that pays an order in bulk.
 */
export class MoveTraffic {
  /** Number of uploads that were rejected with 503 and repeated. */
  repeatedUploads = 0
  statements = 0
  readonly #parts: Parts
  #balanceCents = 0
  #isStopped = false
  #importing: Promise<void> = Promise.resolve()

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Starts the traffic before the clients write. All events until now have a number; the tenant is in main. */
  static async create(world: MoveWorld, writers: KeyedWriters, { orders }: { orders: number }): Promise<MoveTraffic> {
    const { installation } = world
    const { tenantId } = writers
    const operatorApi = await installation.startOperatorApiProcess()
    const operator = await OperatorClient.create(installation, operatorApi, tenantId, 'all duties')
    const receiver = await WebhookReceiver.open()
    const created = await operator.post('/webhook-endpoints', { url: `${receiver.url}/events` })
    if (created.status !== 201) throw new Error(created.text)
    await until('the endpoint is verified', async () => {
      const { body } = await operator.get(`/webhook-endpoints/${created.body.id}`)
      return body.verified_at !== null
    })
    const stream = new StreamFollower(operatorApi.baseUrl, operator.who.token)
    await until('the stream is open', () => stream.isConnected)
    const [row] = await world.rows<{ head: number }>('main', headQuery, [tenantId])
    return new MoveTraffic({
      world,
      writers,
      operatorApi,
      operator,
      receiver,
      stream,
      head: row?.head ?? 0,
      orders,
    })
  }

  start(): void {
    this.#importing = this.#importStatements()
  }

  /**
   * Waits until everything has arrived in the tenant's current cell. Call it when the clients have finished. Returns
   * the losses and errors.
   */
  async finish(cell: string, timeoutMs = 120_000): Promise<string[]> {
    this.#isStopped = true
    const problems: string[] = []
    for (const check of [
      () => this.#importing,
      () => this.#statementsAreProcessed(cell, timeoutMs),
      () => this.#eventsAreDelivered(timeoutMs),
      () => this.#streamIsComplete(cell, timeoutMs),
      () => assertMoneyAddsUp(this.#parts.world.installation, this.#parts.writers.tenantId, this.#url(cell)),
    ])
      await check().catch((error: Error) => problems.push(error.message))
    return problems
  }

  async end(): Promise<void> {
    this.#isStopped = true
    await this.#importing.catch(() => undefined)
    await this.#parts.stream.stop()
    await this.#parts.receiver.close()
  }

  get deliveries(): number {
    return this.#parts.receiver.messages.length
  }

  get streamed(): number {
    return this.#parts.stream.received.length
  }

  #url(cell: string): string {
    return this.#parts.world.urlOf(cell)
  }

  async #importStatements(): Promise<void> {
    while (!this.#isStopped) {
      await this.#upload(this.#nextStatement())
      this.statements += 1
      await sleep(betweenStatementsMs)
    }
  }

  /** Returns the next statement, which begins with the closing balance of the one before it. */
  #nextStatement(): string {
    const opening = (this.#balanceCents / 100).toFixed(2)
    const isPayment = this.statements < this.#parts.orders
    const payment = { amount: amountOfBulkOrder, text: referenceOfBulkOrder(this.statements) }
    const entries = [{ amount: '1.00' }, { amount: '2.00', text: 'thank you' }, ...(isPayment ? [payment] : [])]
    this.#balanceCents += entries.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
    const number = String(this.statements + 1)
    return camt053({ id: `S${number}`, sequence: number, opening, entries })
  }

  /** Uploads a statement. While the tenant switches it gets 503, and the operator sends the file again. */
  async #upload(body: string): Promise<void> {
    const { operatorApi, operator } = this.#parts
    const headers = { 'content-type': 'application/xml' }
    for (;;) {
      const response = await operatorApi.call('POST', '/statements', { token: operator.who.token, body, headers })
      if (response.status === 201) return
      if (response.status !== 503) throw new Error(`POST /statements responded ${response.status}: ${response.text}`)
      this.repeatedUploads += 1
      await sleep(100)
    }
  }

  async #statementsAreProcessed(cell: string, timeoutMs: number): Promise<void> {
    const { world, writers, orders } = this.#parts
    const paid = Math.min(this.statements, orders)
    const expected = JSON.stringify({
      statements: this.statements,
      numbers: this.statements,
      gaps: 0,
      unassigned: 2 * this.statements,
      booked: paid,
      entries: 2 * this.statements + paid,
      paid,
    })
    let found = ''
    await until(
      'all statements are processed',
      async () => {
        const [row] = await world.rows(cell, statementsQuery, [writers.tenantId])
        found = JSON.stringify(row)
        return found === expected
      },
      timeoutMs,
    ).catch(() => {
      throw new Error(`the statements are ${found}, and should be ${expected}`)
    })
  }

  async #eventsAreDelivered(timeoutMs: number): Promise<void> {
    const { writers, receiver } = this.#parts
    const expected = writers.writes.flatMap(({ kind, response }) => (response ? [`${kind} ${response.id}`] : []))
    const missing = new Set(expected)
    let seen = 0
    await until(
      'all events are delivered',
      () => {
        for (const { body } of receiver.messages.slice(seen)) {
          if (body.type === 'account.created') missing.delete(`account ${body.data.account_id}`)
          if (body.type === 'order.created') missing.delete(`order ${body.data.order_id}`)
        }
        seen = receiver.messages.length
        return missing.size === 0
      },
      timeoutMs,
    ).catch(() => {
      throw new Error(`the events of ${missing.size} of ${expected.length} writes were not delivered`)
    })
  }

  /** Checks that every number came once, from the first event after the stream was opened to the last. */
  async #streamIsComplete(cell: string, timeoutMs: number): Promise<void> {
    const { world, writers, stream, head } = this.#parts
    const last = async () => (await world.rows<{ head: number }>(cell, headQuery, [writers.tenantId]))[0]?.head ?? 0
    await until(
      'the stream has the last event',
      async () => (stream.received.at(-1)?.id ?? head) >= (await last()),
      timeoutMs,
    ).catch(() => undefined)
    const wanted = await last()
    const wrong = stream.received.findIndex(({ id }, index) => id !== head + 1 + index)
    const found = stream.received[wrong]?.id
    if (wrong >= 0) throw new Error(`the stream sent event ${found} where ${head + 1 + wrong} was expected`)
    if (this.streamed !== wanted - head)
      throw new Error(`the stream sent ${this.streamed} events, but there are ${wanted - head}`)
  }
}

const betweenStatementsMs = 300

const headQuery = `
  select coalesce(max(last_sequence), 0)::integer as head from cell.event_head where tenant_id = $1`

const statementsQuery = `
  select count(distinct statement.id)::integer as statements, count(distinct statement.sequence)::integer as numbers,
         (count(*) filter (where statement.continuity = 'gap'))::integer as gaps,
         (count(*) filter (where state = 'unassigned'))::integer as unassigned,
         (count(*) filter (where state = 'booked'))::integer as booked, count(state)::integer as entries,
         (select count(*)::integer from cell.payment where tenant_id = $1) as paid
  from cell.bank_statement statement
  left join cell.bank_entry entry on entry.tenant_id = $1 and entry.statement_id = statement.id
  where statement.tenant_id = $1`
