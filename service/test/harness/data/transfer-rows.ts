import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { createTransfer } from '../../../src/tokens/transfers/create-transfer.ts'
import { individual } from './bodies.ts'
import { ChainRows } from './chain-rows.ts'
import { randomHash, TenantRows } from './tenant-rows.ts'

export interface TransferIds extends Record<string, string> {
  offeringId: string
  transferId: string
  unrequestedTransferId: string
}

/** Inserts the rows that transfers need, for tests without a chain. */
export class TransferRows extends TenantRows {
  /** Creates a token, a wallet with one unit of it, and a wallet of another account that may receive it. */
  async wallets(): Promise<{ offeringId: string; senderWalletId: string; receiverWalletId: string }> {
    const offeringId = await new ChainRows(this.installation, this.tenantId).token()
    const [senderWalletId, receiverWalletId] = [await this.#wallet(), await this.#wallet()]
    await this.installation.rows(
      `insert into cell.holding (tenant_id, offering_id, address, id, units)
       select tenant_id, $2, public_address, gen_random_uuid(), 1 from cell.wallet where id = $1`,
      [senderWalletId, offeringId],
    )
    await this.installation.rows(
      `insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, is_registered)
       select tenant_id, $2, id, account_id, true from cell.wallet where id = any ($1)`,
      [[senderWalletId, receiverWalletId], offeringId],
    )
    return { offeringId, senderWalletId, receiverWalletId }
  }

  /** Creates a transfer of that unit, which can be approved, and an unrequested transfer. */
  async create({ status = 'REQUESTED', reason = 'gift' } = {}): Promise<TransferIds> {
    const { offeringId, senderWalletId, receiverWalletId } = await this.wallets()
    const body = {
      offering_id: offeringId,
      sender_wallet_id: senderWalletId,
      receiver_wallet_id: receiverWalletId,
      units: '1',
      reason,
    }
    const { id: transferId } = await this.direct.run(createTransfer, {
      body,
    })
    await this.installation.rows('update cell.token_transfer set status = $2 where id = $1', [transferId, status])
    const unrequestedTransferId = crypto.randomUUID()
    await this.installation.rows(
      `insert into cell.unrequested_transfer (tenant_id, id, offering_id, block_hash, log_index, transaction_hash,
         block_timestamp, from_address, to_address, units, breaches, found_at)
       select tenant_id, $2, $3, $4, 0, $4, now(), public_address, public_address, 1, '{}', now()
       from cell.wallet where id = $1`,
      [senderWalletId, unrequestedTransferId, offeringId, randomHash()],
    )
    return { offeringId, transferId, unrequestedTransferId }
  }

  async #wallet(): Promise<string> {
    const { id } = await this.direct.run(createAccount, { body: { ...individual, kyc: { status: 'APPROVED' } } })
    return this.fixtures.wallet(this.tenantId, id, { blockchain: 'anvil' })
  }
}
