import { asOwner } from './database.ts'
import type { TestInstallation } from './service.ts'

/**
 * What the API cannot make yet, written by the owner of the tables as the operator's side will: rows with their dense
 * position, and their parent's counter with them.
 */
export class Fixtures {
  readonly #url: string

  constructor(installation: TestInstallation, url = installation.config.databaseUrl) {
    this.#url = url
  }

  /** An open offering; with status DRAFT one that integrators do not see. */
  offering(tenantId: string, change: Row = {}): Promise<string> {
    return this.#insert(
      'offering',
      { table: 'tenant', key: { id: tenantId }, counter: 'offering_count' },
      {
        tenant_id: tenantId,
        name: 'Harbour Bond',
        symbol: 'HARB',
        blockchain: 'ethereum',
        tokenization_platform: 'permissioned-token',
        decimals: 8,
        type: 'DEBT_TOKENIZED',
        price_per_token: '12.50',
        status: 'OPEN',
        currency: 'EUR',
        total_units: '100000000000000',
        collection_account: JSON.stringify({
          account_holder: 'Harbour Issuer GmbH',
          bank: 'Testbank',
          bic: 'COBADEFFXXX',
          iban: 'DE89370400440532013000',
          currency: 'EUR',
        }),
        ...change,
      },
    )
  }

  async offeringName(tenantId: string, offeringId: string, language: string, name: string): Promise<void> {
    await this.#run('insert into cell.offering_name (tenant_id, offering_id, language, name) values ($1, $2, $3, $4)', [
      tenantId,
      offeringId,
      language,
      name,
    ])
  }

  wallet(tenantId: string, accountId: string, change: Row = {}): Promise<string> {
    const parent = { table: 'account', key: { tenant_id: tenantId, id: accountId }, counter: 'wallet_count' }
    return this.#insert('wallet', parent, {
      tenant_id: tenantId,
      account_id: accountId,
      public_address: `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}`,
      name: 'Main wallet',
      provider: 'METAMASK',
      type: 'BROWSER_WALLET',
      status: 'ACTIVE',
      ...change,
    })
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

  /** Puts an order into any state, as payments and mints will. */
  async orderState(orderId: string, status: string, change: Row = {}): Promise<void> {
    const set: Row = { status, cancelled_at: status === 'CANCELLED' ? '2026-07-02T10:00:00Z' : null, ...change }
    const assignments = Object.keys(set).map((name, index) => `${name} = $${index + 2}`)
    await this.#run(`update cell.token_order set ${assignments.join()} where id = $1`, [orderId, ...Object.values(set)])
  }

  async #insert(table: string, parent: Parent, row: Row): Promise<string> {
    const whole: Row = { id: crypto.randomUUID(), ...row }
    if (whole['id'] === undefined) delete whole['id']
    const hasPosition = whole['status'] !== 'DRAFT'
    const names = [...Object.keys(whole), ...(hasPosition ? ['position'] : [])]
    const values = Object.values(whole)
    const keys = Object.entries(parent.key)
    const where = keys.map(([name], index) => `${name} = $${values.length + index + 1}`).join(' and ')
    const placeholders = [...values.map((_, index) => `$${index + 1}`), ...(hasPosition ? ['position'] : [])]
    await this.#run(
      `with counted as (
         update cell.${parent.table} set ${parent.counter} = ${parent.counter} + ${hasPosition ? 1 : 0} where ${where}
         returning ${parent.counter} - 1 as position
       )
       insert into cell.${table} (${names.join()}) select ${placeholders.join()} from counted`,
      [...values, ...keys.map(([, value]) => value)],
    )
    return String(whole['id'])
  }

  async #run(text: string, values: unknown[]): Promise<void> {
    await asOwner(this.#url, (client) => client.query(text, values))
  }
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
