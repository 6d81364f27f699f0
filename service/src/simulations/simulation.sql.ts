import type { Address } from 'viem'
import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'

export async function insertSimulatedWallet(
  tx: Transaction,
  wallet: { tenantId: string; walletId: string; privateKey: Buffer },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.simulated_wallet (tenant_id, wallet_id, private_key)
    values (${wallet.tenantId}, ${wallet.walletId}, ${wallet.privateKey})`)
}

export interface TransferringWallet {
  publicAddress: Address
  blockchain: string
  /** Encrypted; null unless a simulation created the wallet. */
  privateKey: Buffer | null
}

export function findTransferringWallet(
  tx: Transaction,
  { tenantId, walletId }: { tenantId: string; walletId: string },
): Promise<TransferringWallet | undefined> {
  return tx.row<TransferringWallet>(sql`
    select wallet.public_address as "publicAddress", wallet.blockchain, simulated_wallet.private_key as "privateKey"
    from cell.wallet
    left join cell.simulated_wallet
      on simulated_wallet.tenant_id = wallet.tenant_id and simulated_wallet.wallet_id = wallet.id
    where wallet.tenant_id = ${tenantId} and wallet.id = ${walletId}`)
}

/** Selects the orders of an offering that are on hold or have failed mints. */
export async function selectOrdersOnMintHold(
  tx: Transaction,
  { tenantId, offeringId }: { tenantId: string; offeringId: string },
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from cell.token_order
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and status = 'READYTOMINT'
      and (mint_hold_reason is not null or mint_failures > 0)
    order by id limit 1000`)
  return rows.map(({ id }) => id)
}

/** Moves every open deadline of the tenant earlier. Returns the number of deadlines of each kind. */
export async function advanceDeadlines(
  tx: Transaction,
  tenantId: string,
  seconds: number,
): Promise<{ orders: number; wallets: number }> {
  const interval = sql`make_interval(secs => ${seconds}::double precision)`
  const [orders, wallets] = await tx.batch(
    (tx) =>
      tx.rows(sql`
      update cell.token_order set payment_due_at = payment_due_at - ${interval}
      where tenant_id = ${tenantId} and status = 'ORDERED' returning id`),
    (tx) =>
      tx.rows(sql`
      update cell.wallet set challenge_expires_at = challenge_expires_at - ${interval}
      where tenant_id = ${tenantId} and status = 'PENDING' and challenge_expires_at is not null returning id`),
  )
  return { orders: orders.length, wallets: wallets.length }
}
