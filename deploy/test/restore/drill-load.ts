import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../service/test/harness/wait.ts'
import type { DrillBank } from './drill-bank.ts'
import type { DrillWorld } from './drill-world.ts'

/** Something that the service has acknowledged, and the time. */
export interface Acknowledged {
  kind: 'order' | 'cancellation' | 'statement' | 'payout'
  id: string
  at: number
}

/** Creates orders, payments, cancellations, statements and payouts, while processes are killed. */
export class DrillLoad {
  readonly acknowledged: Acknowledged[] = []
  /** The payment reference of each order. */
  readonly references = new Map<string, string>()
  readonly #world: DrillWorld
  readonly #bank: DrillBank
  readonly #random: () => number
  #token = ''
  #isStopped = false

  constructor(world: DrillWorld, bank: DrillBank, random: () => number) {
    this.#world = world
    this.#bank = bank
    this.#random = random
  }

  stop(): void {
    this.#isStopped = true
  }

  async run(): Promise<void> {
    await this.signIn()
    await Promise.all([
      this.#repeat(300, () => this.#order()),
      this.#repeat(300, () => this.#order()),
      this.#repeat(1_000, async () => {
        this.#bank.execute(() => this.#random() < 0.6)
        if (this.#bank.hasNews) await this.importStatement(this.#bank.issue())
      }),
      this.#repeat(1_200, () => this.tryPayOut()),
      this.#repeat(1_000, () => this.#kill()),
    ])
  }

  async signIn(): Promise<void> {
    const [credential] = this.#world.credentials
    const body = { client_id: credential?.clientId, client_secret: credential?.clientSecret, scopes: readAndWrite }
    const { status, text, body: issued } = await this.#world.service.api('POST', '/auth', { body })
    if (status !== 200) throw new Error(`POST /auth: ${text}`)
    this.#token = issued.access_token
  }

  async #repeat(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.#isStopped) {
      await work()
      await sleep(pauseMs * (0.5 + this.#random()))
    }
  }

  get #operatorToken(): string {
    return this.#world.operators[0]?.token ?? ''
  }

  #acknowledge(kind: Acknowledged['kind'], id: string): void {
    this.acknowledged.push({ kind, id, at: Date.now() })
  }

  /**
   * Mints the first order, which deploys the contracts. Without it, a short drill would mint nothing before the moment.
   */
  async mintFirst(): Promise<void> {
    await this.signIn()
    const orderId = await this.#create()
    this.#bank.pay(this.references.get(orderId) ?? '', '12.50')
    await this.importStatement(this.#bank.issue())
    await until(
      'the first order is minted',
      async () => {
        const [order] = await this.#world.rows<{ status: string }>('select status from cell.token_order')
        return order?.status === 'MINTED'
      },
      90_000,
    )
  }

  /** Creates an order and returns its id. */
  async #create(): Promise<string> {
    const { service, offeringId, accountIds } = this.#world
    const account_id = accountIds[Math.floor(this.#random() * accountIds.length)]
    const body = { account_id, units: '100000000' }
    const created = await service.api('POST', `/offerings/${offeringId}/orders`, { token: this.#token, body })
    if (created.status !== 201) throw new Error(`an order was rejected: ${created.text}`)
    const orderId: string = created.body.id
    this.#acknowledge('order', orderId)
    const { body: order } = await service.operator('GET', `/orders/${orderId}`, { token: this.#operatorToken })
    this.references.set(orderId, order.payment_reference)
    return orderId
  }

  async #order(): Promise<void> {
    const orderId = await this.#create()
    const isOverpaid = this.#random() < 0.3
    this.#bank.pay(this.references.get(orderId) ?? '', isOverpaid ? '17.50' : '12.50')
    if (this.#random() > 0.4) return
    await sleep(this.#random() * 3_000)
    await this.cancel(orderId)
  }

  /** Returns false if the order can no longer be cancelled. */
  async cancel(orderId: string): Promise<boolean> {
    const path = `/offerings/${this.#world.offeringId}/orders/${orderId}/cancel`
    const { status } = await this.#world.service.api('PATCH', path, { token: this.#token })
    if (status === 200) this.#acknowledge('cancellation', orderId)
    return status === 200
  }

  async importStatement(file: string): Promise<void> {
    const { status, text, body } = await this.#world.service.operator('POST', '/statements', {
      token: this.#operatorToken,
      body: file,
      headers: { 'content-type': 'application/xml' },
    })
    if (status !== 201 && status !== 200) throw new Error(`a statement was rejected: ${text}`)
    for (const { id } of body.statements) this.#acknowledge('statement', id)
  }

  /** Pays out everything due in one payout, and submits it to the bank. Returns the error code of a rejection. */
  async tryPayOut(): Promise<string | undefined> {
    const { service } = this.#world
    const token = this.#operatorToken
    const created = await service.operator('POST', '/payouts', { token, body: {} })
    if (created.status !== 201) return created.body.error.code as string
    return this.download(created.body.id)
  }

  /** Releases a payout unless it is released, and submits its file to the bank. */
  async download(id: string): Promise<string | undefined> {
    const { service } = this.#world
    const token = this.#operatorToken
    const released = await service.operator('POST', `/payouts/${id}/release`, { token })
    if (released.status !== 200) return released.body.error.code as string
    const file = await service.operator('POST', `/payouts/${id}/download`, { token, fileType: 'application/xml' })
    if (file.status !== 200) return file.body.error.code as string
    this.#acknowledge('payout', id)
    this.#bank.handIn(file.text)
    return undefined
  }

  async #kill(): Promise<void> {
    const victims = ['api', 'operator-api', 'worker', 'worker', 'indexer'] as const
    await this.#world.service.restart(victims[Math.floor(this.#random() * victims.length)] ?? 'worker')
  }
}

const readAndWrite = ['offering.read', 'order.read', 'order.create', 'order.update', 'order.delete']
