import { randomUUID } from 'node:crypto'
import { createDistribution } from '../../../src/distributions/operator/create-distribution.ts'
import { requestCalculation } from '../../../src/distributions/operator/request-calculation.ts'
import { inTenantTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import { recordEvent } from '../../../src/records/events/event.sql.ts'
import type { PacedChain } from '../chain/paced-chain.ts'
import { ExportRows } from '../data/export-rows.ts'
import { WebhookWorld } from '../data/webhook-world.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { type CamtEntry, camt053Pieces } from '../money/camt053.ts'
import { newDistribution } from '../money/distribution-world.ts'
import { insertReadyOrders } from '../tokens/ready-orders.ts'
import { SettlementWorld } from '../tokens/settlement-world.ts'
import { createLargeRegister, registerAt } from './large-register.ts'

export interface LargeTenantSizes {
  readonly orders: number
  readonly entries: number
  readonly exports: number
  readonly deliveries: number
  readonly holders: number
}

/** Kinds of work that a tenant leaves to the workers. */
export type Work = 'mint' | 'statement' | 'mail' | 'webhook' | 'export'

const endpoints = 50
const wallets = 50
/** A chain without a node: the test writes the register, and nothing reads it from a chain. */
const registerChain = 'ethereum'

/** A well-behaved tenant that gives the workers as much as it may: everything at once, but nothing forbidden. */
export class LargeTenant {
  readonly #world: SettlementWorld
  readonly #sizes: LargeTenantSizes
  readonly #distributionId: string
  readonly #accounts: readonly string[]

  private constructor(
    world: SettlementWorld,
    made: { sizes: LargeTenantSizes; distributionId: string; accounts: readonly string[] },
  ) {
    this.#world = world
    this.#sizes = made.sizes
    this.#distributionId = made.distributionId
    this.#accounts = made.accounts
  }

  static async create(
    installation: TestInstallation,
    chain: PacedChain,
    sizes: LargeTenantSizes,
    receiverUrl: string,
  ): Promise<LargeTenant> {
    const world = await SettlementWorld.create(installation, chain)
    const { tenantId, direct, fixtures } = world
    const accounts: string[] = []
    for (let made = 0; made < wallets; made += 1) accounts.push(await world.investor())
    const webhooks = WebhookWorld.of(installation, tenantId)
    // Nothing else of this tenant records this type, so each message is one that the test asked for.
    for (let made = 0; made < endpoints; made += 1)
      await webhooks.endpoint(`${receiverUrl}/large/${made}`, ['wallet.resumed'])
    const offeringId = await fixtures.offering(tenantId, { blockchain: registerChain })
    await createLargeRegister(installation, {
      tenantId,
      offeringId,
      holders: sizes.holders,
      accounts: 200,
      chain: registerChain,
    })
    const body = { ...newDistribution, rate_per_token: '1/3', record_at: registerAt }
    const { id } = await direct.run(createDistribution, { params: { offeringId }, body })
    return new LargeTenant(world, { sizes, distributionId: id, accounts })
  }

  /** Gives the workers everything at once. */
  async begin(operatorApi: RunningApi): Promise<void> {
    const { direct, installation, tenantId } = this.#world
    const exports = new ExportRows(installation, tenantId)
    await insertReadyOrders(this.#world, this.#accounts, this.#sizes.orders)
    for (let made = 0; made < this.#sizes.exports; made += 1)
      await exports.request({ kind: made % 2 === 0 ? 'orders' : 'payments' })
    await direct.run(requestCalculation, { params: { distributionId: this.#distributionId } })
    await this.#recordEvents()
    await this.#uploadStatement(operatorApi)
  }

  /** Returns the remaining work of each kind. */
  async remaining(): Promise<Record<string, number>> {
    const [row] = await this.#world.rows<Record<string, number>>(
      `select (select count(*)::int from cell.token_order where tenant_id = $1 and status in ('READYTOMINT', 'MINTING'))
                as orders,
              (select count(*)::int from cell.bank_entry where tenant_id = $1 and state = 'pending') as entries,
              (select count(*)::int from cell.export where tenant_id = $1 and state = 'running') as exports,
              (select count(*)::int from cell.webhook_delivery where tenant_id = $1 and state = 'PENDING') as deliveries,
              (select count(*)::int from cell.distribution where id = $2 and status = 'CALCULATING') as distributions`,
      [this.#world.tenantId, this.#distributionId],
    )
    return row ?? {}
  }

  async end(): Promise<void> {
    await this.#world.end()
  }

  async #uploadStatement(operatorApi: RunningApi): Promise<void> {
    const { installation, tenantId } = this.#world
    const { token } = await installation.createOperator(tenantId)
    const pieces = camt053Pieces({ entries: entriesOf(this.#sizes.entries) })
    const response = await fetch(`${operatorApi.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml' },
      body: ReadableStream.from(inBlocks(pieces)),
      duplex: 'half',
    } as RequestInit)
    if (response.status !== 201) throw new Error(await response.text())
  }

  async #recordEvents(): Promise<void> {
    const { direct, tenantId } = this.#world
    const events = Math.ceil(this.#sizes.deliveries / endpoints)
    await inTenantTransaction(direct.databases, { tenantId, access: 'write' }, async (tx) => {
      for (let made = 0; made < events; made += 1)
        await recordEvent(tx, tenantId, { type: 'wallet.resumed', data: {} }, randomUUID())
    })
  }
}

/** Generates entries that name no order, so that all become unassigned payments, which takes longest. */
function entriesOf(count: number): Iterable<CamtEntry> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index += 1)
        yield {
          amount: '0.01',
          bankReference: `large/${index}`,
          payerName: 'Ada Lovelace',
          payerIban: 'DE02120300000000202051',
          text: 'a remittance text of the usual length on a transfer',
        }
    },
  }
}

function* inBlocks(pieces: Iterable<string>): Generator<Buffer> {
  let buffered = ''
  for (const piece of pieces) {
    buffered += piece
    if (buffered.length < 65_536) continue
    yield Buffer.from(buffered)
    buffered = ''
  }
  yield Buffer.from(buffered)
}
