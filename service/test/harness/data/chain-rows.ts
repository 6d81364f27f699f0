import { createTestSigner } from '../chain/test-signers.ts'
import { randomAddress, randomHash, TenantRows } from './tenant-rows.ts'

/** Inserts the rows that a tenant has after work on a chain, for tests that need the rows but no chain. */
export class ChainRows extends TenantRows {
  /** Creates the tenant's signer, if it has none. */
  async signer(): Promise<void> {
    await createTestSigner(this.installation, this.tenantId)
  }

  /** Creates a chain op in this state, with one attempt unless it is QUEUED. */
  async op(state: string, kind = 'DEPLOY_TOKEN'): Promise<string> {
    await this.signer()
    const opId = crypto.randomUUID()
    const isSigned = state !== 'QUEUED'
    const nonce = isSigned ? Math.floor(Math.random() * 1e9) : null
    await this.installation.rows(
      `insert into cell.chain_op (tenant_id, id, chain, kind, dedupe_key, to_address, data, state, nonce)
       values ($1, $2, 'anvil', $3, $4, $5, '0x', $6, $7)`,
      [this.tenantId, opId, kind, `test:${opId}`, randomAddress(), state, nonce],
    )
    if (isSigned)
      await this.installation.rows(
        `insert into cell.chain_tx (tenant_id, hash, op_id, attempt, raw, max_fee_per_gas, max_priority_fee_per_gas)
         values ($1, $2, $3, 1, '0x00', 1, 1)`,
        [this.tenantId, randomHash(), opId],
      )
    return opId
  }

  /** Creates an offering whose token counts as deployed. */
  async token(terms: Record<string, unknown> = {}): Promise<string> {
    await this.signer()
    const fixtures = this.fixtures
    const offeringId = await fixtures.offering(this.tenantId, { blockchain: 'anvil', ...terms })
    await this.installation.rows(
      'update cell.offering set token_address = $2, token_deployed_at = now() where id = $1',
      [offeringId, randomAddress()],
    )
    return offeringId
  }

  /** Creates a token action that waits for a second person. The test does not use its proposer otherwise. */
  async action(): Promise<{ offeringId: string; actionId: string }> {
    const offeringId = await this.token()
    const api = await this.installation.operatorApi()
    const body = { kind: 'PAUSE', reason: 'for a test' }
    const proposed = await api.call(this.tenantId, 'POST', `/offerings/${offeringId}/token-actions`, body)
    return { offeringId, actionId: proposed.approval_id }
  }

  /** Puts a READYTOMINT order on hold. */
  async putOnHold(orderId: string): Promise<void> {
    await this.installation.rows(
      `update cell.token_order set mint_hold_reason = 'reverted', mint_failures = 1 where id = $1`,
      [orderId],
    )
  }

  async stopMinting(offeringId: string): Promise<void> {
    await this.installation.rows(`update cell.offering set minting_stopped = 'for a test' where id = $1`, [offeringId])
  }

  /** Creates a wallet that is being registered with the offering's token, and a transfer. */
  async holder(holding: { offeringId: string; accountId: string; walletId: string }): Promise<void> {
    const opId = await this.op('FINAL', 'REGISTER_WALLETS')
    await this.installation.rows(
      `insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id)
       values ($1, $2, $3, $4, $5)`,
      [this.tenantId, holding.offeringId, holding.walletId, holding.accountId, opId],
    )
    await this.installation.rows(
      `insert into cell.token_log (tenant_id, chain, block_hash, log_index, block_number, block_timestamp,
                                   transaction_hash, offering_id, kind, to_address, units)
       values ($1, 'anvil', $2, 0, 1, now(), $2, $3, 'transfer', $4, 1)`,
      [this.tenantId, randomHash(), holding.offeringId, randomAddress()],
    )
    await this.installation.rows(
      'insert into cell.holding (tenant_id, offering_id, address, id, units) values ($1, $2, $3, gen_random_uuid(), 1)',
      [this.tenantId, holding.offeringId, randomAddress()],
    )
  }

  /** Stores a signer's status and a comparison with the chain, as workers do. */
  async seen(offeringId: string): Promise<void> {
    await this.signer()
    await this.installation.rows(`insert into cell.signer_status values ($1, 'anvil', 1, 1, 1, null, now())`, [
      this.tenantId,
    ])
    await this.installation.rows(`insert into cell.gas_day values ($1, 'anvil', now(), 1, 1)`, [this.tenantId])
    await this.installation.rows('insert into cell.reconciliation (tenant_id, offering_id) values ($1, $2)', [
      this.tenantId,
      offeringId,
    ])
  }
}
