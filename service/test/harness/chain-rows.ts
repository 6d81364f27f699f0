import { Placement } from '../../src/platform/db/placement.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { createSigner } from '../../src/tokens/signers/create-signer.ts'
import { Fixtures } from './fixtures.ts'
import type { TestInstallation } from './service.ts'

const address = () => `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}`
const hash = () => `0x${crypto.randomUUID().replaceAll('-', '').padEnd(64, '0')}`

/** What a tenant has of a chain, written by the owner of the tables: for tests that are about rows and not about chains. */
export class ChainRows {
  readonly #installation: TestInstallation
  readonly #tenantId: string

  constructor(installation: TestInstallation, tenantId: string) {
    this.#installation = installation
    this.#tenantId = tenantId
  }

  /** A key of the tenant on the chain, where it has none. */
  async signer(): Promise<void> {
    const { databases, config } = this.#installation
    const keys = { vaults: new Vaults(config.dataMasterKeys), module: undefined }
    const wanted = { tenantId: this.#tenantId, chain: 'anvil' }
    await createSigner({ databases, placement: new Placement(databases) }, keys, wanted)
  }

  /** An op that has come so far, with one attempt at it once it is signed. */
  async op(state: string, kind = 'DEPLOY_TOKEN'): Promise<string> {
    await this.signer()
    const opId = crypto.randomUUID()
    const isSigned = state !== 'QUEUED'
    const nonce = isSigned ? Math.floor(Math.random() * 1e9) : null
    await this.#run(
      `insert into cell.chain_op (tenant_id, id, chain, kind, dedupe_key, to_address, data, state, nonce)
       values ($1, $2, 'anvil', $3, $4, $5, '0x', $6, $7)`,
      [this.#tenantId, opId, kind, `test:${opId}`, address(), state, nonce],
    )
    if (isSigned)
      await this.#run(
        `insert into cell.chain_tx (tenant_id, hash, op_id, attempt, raw, max_fee_per_gas, max_priority_fee_per_gas)
         values ($1, $2, $3, 1, '0x00', 1, 1)`,
        [this.#tenantId, hash(), opId],
      )
    return opId
  }

  /** An offering whose token is there, as far as our tables know. */
  async token(): Promise<string> {
    await this.signer()
    const offeringId = await new Fixtures(this.#installation).offering(this.#tenantId, { blockchain: 'anvil' })
    await this.#run('update cell.offering set token_address = $2, token_deployed_at = now() where id = $1', [
      offeringId,
      address(),
    ])
    return offeringId
  }

  /** An action on a token, proposed by an operator who is nobody else in the test. */
  async action(): Promise<{ offeringId: string; actionId: string }> {
    const offeringId = await this.token()
    const api = await this.#installation.operatorApi()
    const body = { kind: 'PAUSE', reason: 'for a test' }
    const { id } = await api.call(this.#tenantId, 'POST', `/offerings/${offeringId}/token-actions`, body)
    return { offeringId, actionId: id }
  }

  /** An order that is ready and waits for a person. */
  async hold(orderId: string): Promise<void> {
    await this.#run(`update cell.token_order set held_reason = 'refused', mint_failures = 1 where id = $1`, [orderId])
  }

  async stopMinting(offeringId: string): Promise<void> {
    await this.#run(`update cell.offering set minting_stopped = 'for a test' where id = $1`, [offeringId])
  }

  /** A wallet that the token of the offering knows, and what moved there. */
  async holder(holding: { offeringId: string; accountId: string; walletId: string }): Promise<void> {
    const opId = await this.op('FINAL', 'REGISTER_WALLETS')
    await this.#run(
      `insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id) values ($1, $2, $3, $4, $5)`,
      [this.#tenantId, holding.offeringId, holding.walletId, holding.accountId, opId],
    )
    await this.#run(
      `insert into cell.token_log (tenant_id, chain, block_hash, log_index, block_number, block_timestamp,
                                   transaction_hash, offering_id, kind, to_address, units)
       values ($1, 'anvil', $2, 0, 1, now(), $2, $3, 'transfer', $4, 1)`,
      [this.#tenantId, hash(), holding.offeringId, address()],
    )
  }

  async #run(text: string, values: unknown[]): Promise<void> {
    await this.#installation.owner((client) => client.query(text, values))
  }
}
