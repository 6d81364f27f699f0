import type { Address } from 'viem'
import { expireOrder } from '../../../src/sales/orders/expire-orders.ts'
import type { OrderStatus } from '../../../src/sales/orders/order-status.ts'
import { lockOrder } from '../../../src/sales/orders/order-transition.sql.ts'
import { transitionOrder } from '../../../src/sales/orders/transition-order.ts'
import { expireWallet } from '../../../src/sales/wallets/expired-wallet.sql.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { PacedChain } from '../chain/paced-chain.ts'
import { createTestSigner } from '../chain/test-signers.ts'
import { WalletOwner } from '../chain/wallet-owner.ts'
import { ownerRows } from '../installation/database.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { newOffering } from './bodies.ts'

const later = () => new Date(Date.now() + 730 * 86_400_000)

/**
 * Creates offerings, wallets and paid orders through the operator API. Inserts, as the table owner, the rows that the
 * indexer would read from a chain: with a gapless position, and the counter of their parent.
 */
export class Fixtures {
  readonly #installation: TestInstallation
  readonly #url: string

  constructor(installation: TestInstallation, url = installation.config.databaseUrl) {
    this.#installation = installation
    this.#url = url
  }

  /** Creates an offering with the given status, OPEN by default. */
  async offering(tenantId: string, change: NewOffering = {}): Promise<string> {
    const api = await this.#installation.operatorApi()
    const { status = 'OPEN', currency = 'EUR', ...terms } = change
    const collectionAccount = { ...newOffering.collection_account, currency }
    const body = { ...newOffering, currency, collection_account: collectionAccount, ...terms }
    const { id } = await api.call(tenantId, 'POST', '/offerings', body)
    if (status !== 'DRAFT') await api.call(tenantId, 'POST', `/offerings/${id}/open`)
    if (status === 'CLOSED') await api.call(tenantId, 'POST', `/offerings/${id}/close`)
    return id
  }

  async close(tenantId: string, offeringId: string): Promise<void> {
    const api = await this.#installation.operatorApi()
    await api.call(tenantId, 'POST', `/offerings/${offeringId}/close`)
  }

  /** Creates a signer of the tenant and funds it with gas. */
  async signer(tenantId: string, chain: PacedChain): Promise<void> {
    const signer = await createTestSigner(this.#installation, tenantId)
    if (!signer) throw new Error('the tenant already has a signer')
    await chain.fundGas(signer.address)
  }

  /** Creates a wallet with the given status, ACTIVE by default. */
  async wallet(
    tenantId: string,
    accountId: string,
    { status = 'ACTIVE', ...change }: Row = {},
    owner = new WalletOwner(),
  ): Promise<string> {
    const api = await this.#installation.operatorApi()
    const path = `/accounts/${accountId}/wallets`
    const { id: walletId, challenge } = await api.call(tenantId, 'POST', path, owner.body(change))
    if (status === 'EXPIRED')
      await this.#direct(tenantId).write((tx) => expireWallet(tx, { tenantId, walletId }, later()))
    if (status === 'PENDING' || status === 'EXPIRED') return walletId
    const proof = { message: challenge, signature: await owner.sign(challenge) }
    await api.call(tenantId, 'POST', `${path}/${walletId}/prove`, proof)
    const move = { SUSPENDED: 'suspend', INACTIVE: 'retire' }[String(status)]
    if (move) await api.call(tenantId, 'POST', `${path}/${walletId}/${move}`, { reason: 'for a test' })
    return walletId
  }

  /** Creates a proven wallet of an account on the chain. */
  async party(tenantId: string, accountId: string, blockchain = 'anvil'): Promise<Party> {
    const owner = new WalletOwner()
    const walletId = await this.wallet(tenantId, accountId, { blockchain }, owner)
    return { accountId, walletId, address: owner.address }
  }

  async balance(holding: Holding, balance: string): Promise<void> {
    const { tenantId, accountId, walletId, offeringId } = holding
    const parent = { table: 'account', key: { tenant_id: tenantId, id: accountId }, counter: 'balance_count' }
    await this.#insert('wallet_balance', parent, {
      tenant_id: tenantId,
      wallet_id: walletId,
      offering_id: offeringId,
      account_id: accountId,
      balance,
      id: undefined,
    })
  }

  transaction({ tenantId, accountId, walletId, offeringId }: Holding, change: Row = {}): Promise<string> {
    const parent = { table: 'account', key: { tenant_id: tenantId, id: accountId }, counter: 'transaction_count' }
    return this.#insert('token_transaction', parent, {
      tenant_id: tenantId,
      account_id: accountId,
      wallet_id: walletId,
      offering_id: offeringId,
      transaction_type: 'MINT',
      transaction_hash: `0x${'ab'.repeat(32)}`,
      units: '1000000000',
      status: 'confirmed',
      tx_from: null,
      tx_to: '0x52908400098527886E0F7030069857D2E4169EE7',
      block_timestamp: '2026-07-02T10:00:00Z',
      ...change,
    })
  }

  /** Records the full payment of an order. */
  async pay(tenantId: string, orderId: string, receivedAt = '2026-07-02T10:00:00Z'): Promise<void> {
    const api = await this.#installation.operatorApi()
    const { total_amount: total, currency } = await api.call(tenantId, 'GET', `/orders/${orderId}`)
    await api.call(tenantId, 'POST', `/orders/${orderId}/payments`, {
      amount: String(total),
      currency,
      reference: crypto.randomUUID(),
      received_at: receivedAt,
    })
  }

  /** Moves an ORDERED order to any status through the transitions that lead there. */
  async bringTo(tenantId: string, orderId: string, status: OrderStatus): Promise<void> {
    const key = { tenantId, orderId }
    const direct = this.#direct(tenantId)
    if (status === 'NOPAYMENT') return expireOrder(direct.databases, key, later())
    if (status === 'CANCELLED') {
      const api = await this.#installation.operatorApi()
      await api.call(tenantId, 'POST', `/orders/${orderId}/cancel`, { reason: 'for a test' })
    } else if (status !== 'ORDERED') {
      await this.pay(tenantId, orderId)
      const path: OrderStatus[] = ['READYTOMINT', 'MINTING', 'MINTED']
      await this.move(tenantId, orderId, path.slice(0, path.indexOf(status) + 1))
    }
  }

  /** Makes transitions that have no operation, in one transaction, so that no worker interferes. */
  async move(tenantId: string, orderId: string, steps: readonly OrderStatus[]): Promise<void> {
    await this.#direct(tenantId).write(async (tx) => {
      let order = await lockOrder(tx, { tenantId, orderId })
      for (const next of steps) if (order) order = await transitionOrder(tx, order, next)
    })
  }

  #direct(tenantId: string): DirectOperations {
    return new DirectOperations(this.#installation, tenantId)
  }

  async #insert(table: string, parent: Parent, row: Row): Promise<string> {
    const whole: Row = { id: crypto.randomUUID(), ...row }
    if (whole['id'] === undefined) delete whole['id']
    const names = [...Object.keys(whole), 'position']
    const values = Object.values(whole)
    const keys = Object.entries(parent.key)
    const where = keys.map(([name], index) => `${name} = $${values.length + index + 1}`).join(' and ')
    const placeholders = [...values.map((_, index) => `$${index + 1}`), 'position']
    await this.#run(
      `with counted as (
         update cell.${parent.table} set ${parent.counter} = ${parent.counter} + 1 where ${where}
         returning ${parent.counter} - 1 as position
       )
       insert into cell.${table} (${names.join()}) select ${placeholders.join()} from counted`,
      [...values, ...keys.map(([, value]) => value)],
    )
    return String(whole['id'])
  }

  async #run(text: string, values: unknown[]): Promise<void> {
    await ownerRows(this.#url, text, values)
  }
}

/** The body for the operator API, and the status to create. */
interface NewOffering extends Row {
  status?: string
  currency?: string
}

/** An account and one of its wallets on a chain. */
export interface Party {
  readonly accountId: string
  readonly walletId: string
  readonly address: Address
}

export interface Holding {
  tenantId: string
  accountId: string
  walletId: string
  offeringId: string
}

interface Parent {
  table: string
  key: Record<string, string>
  counter: string
}

type Row = Record<string, unknown>
