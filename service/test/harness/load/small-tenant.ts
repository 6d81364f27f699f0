import { randomUUID } from 'node:crypto'
import { mailInvitation } from '../../../src/access/invitations/mail-invitation.job.ts'
import { enqueueJob } from '../../../src/platform/jobs/enqueue.sql.ts'
import { inDirectoryTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import type { PacedChain } from '../chain/paced-chain.ts'
import { ExportRows } from '../data/export-rows.ts'
import { WebhookWorld } from '../data/webhook-world.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { camt053, importDirectly } from '../money/camt053.ts'
import type { Mailbox } from '../servers/mailbox.ts'
import type { WebhookReceiver } from '../servers/webhook-receiver.ts'
import { SettlementWorld } from '../tokens/settlement-world.ts'
import { until } from '../wait.ts'
import type { Work } from './large-tenant.ts'

/** A tenant that requests one piece of each kind of work and measures how long each takes. */
export class SmallTenant {
  readonly #world: SettlementWorld
  readonly #webhooks: WebhookWorld
  readonly #mailbox: Mailbox
  readonly #receiver: WebhookReceiver
  readonly #accountId: string
  #balance = 1_000

  private constructor(
    world: SettlementWorld,
    webhooks: WebhookWorld,
    around: { mailbox: Mailbox; receiver: WebhookReceiver; accountId: string },
  ) {
    this.#world = world
    this.#webhooks = webhooks
    this.#mailbox = around.mailbox
    this.#receiver = around.receiver
    this.#accountId = around.accountId
  }

  static async create(
    installation: TestInstallation,
    chain: PacedChain,
    around: { mailbox: Mailbox; receiver: WebhookReceiver },
  ): Promise<SmallTenant> {
    const world = await SettlementWorld.create(installation, chain)
    const accountId = await world.investor()
    const webhooks = WebhookWorld.of(installation, world.tenantId)
    await webhooks.endpoint(`${around.receiver.url}/small`, ['wallet.resumed'])
    return new SmallTenant(world, webhooks, { ...around, accountId })
  }

  async end(): Promise<void> {
    await this.#world.end()
  }

  /** Begins all kinds of work at once. Returns the milliseconds until each is done. */
  async measure(): Promise<Record<Work, number>> {
    const [mint, statement, mail, webhook, written] = await Promise.all([
      timed(() => this.#mint()),
      timed(() => this.#statement()),
      timed(() => this.#mail()),
      timed(() => this.#webhook()),
      timed(() => this.#export()),
    ])
    return { mint, statement, mail, webhook, export: written }
  }

  async #mint(): Promise<void> {
    const [orderId] = await this.#world.readyOrders(this.#accountId, 1)
    await until('the order is minted', async () => {
      const [order] = await this.#world.rows<{ status: string }>('select status from cell.token_order where id = $1', [
        orderId,
      ])
      return order?.status === 'MINTED'
    })
  }

  async #statement(): Promise<void> {
    const { installation, tenantId } = this.#world
    const xml = camt053({ id: randomUUID(), opening: `${this.#balance}.00`, entries: [{ amount: '1.00' }] })
    this.#balance += 1
    await importDirectly(installation, tenantId, xml)
    await until('the statement is matched', async () => {
      const [row] = await this.#world.rows<{ pending: number }>(
        `select count(*)::int as pending from cell.bank_entry where tenant_id = $1 and state = 'pending'`,
        [tenantId],
      )
      return row?.pending === 0
    })
  }

  async #mail(): Promise<void> {
    const { installation, tenantId } = this.#world
    const address = `${randomUUID()}@example.com`
    const userId = await installation.addUser(tenantId, address)
    await inDirectoryTransaction(installation.databases, { tenantId, access: 'write' }, (tx) =>
      enqueueJob(tx, mailInvitation, { tenant_id: tenantId, user_id: userId, invited_by: null }),
    )
    await until('the mail has arrived', () =>
      this.#mailbox.mails.some(({ to }) => to?.some((one) => one.address === address)),
    )
  }

  async #webhook(): Promise<void> {
    const id = await this.#webhooks.recordEvent('wallet.resumed')
    await until('the message has arrived', () => this.#receiver.at('/small').some((message) => message.id === id))
  }

  async #export(): Promise<void> {
    const { installation, tenantId } = this.#world
    const exports = new ExportRows(installation, tenantId)
    await exports.expireAll()
    const id = await exports.request()
    await until('the export is written', async () => {
      const [row] = await this.#world.rows<{ state: string }>('select state from cell.export where id = $1', [id])
      return row?.state === 'done'
    })
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
