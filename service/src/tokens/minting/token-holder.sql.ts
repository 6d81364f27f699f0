import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'

/** Records that an op registers these wallets with the token; they become registered when it is FINAL. */
export async function insertHolders(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  opId: string,
  wallets: readonly { walletId: string; accountId: string }[],
): Promise<void> {
  await tx.rows(sql`
    insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id)
    select ${tenantId}, ${offeringId}, wallet_id, account_id, ${opId}
    from unnest(${wallets.map(({ walletId }) => walletId)}::uuid[],
                ${wallets.map(({ accountId }) => accountId)}::uuid[])
      as added (wallet_id, account_id)
    on conflict do nothing`)
}

export async function markHoldersRegistered(tx: Transaction, { tenantId, id }: ChainOp): Promise<void> {
  await tx.rows(sql`update cell.token_holder set is_registered = true where tenant_id = ${tenantId} and op_id = ${id}`)
}

/** Makes the unregistered wallets of an op wait for another op instead. Returns how many they are. */
export async function reassignHolders(tx: Transaction, { tenantId, id }: ChainOp, newOpId: string): Promise<number> {
  const rows = await tx.rows(sql`
    update cell.token_holder set op_id = ${newOpId}
    where tenant_id = ${tenantId} and op_id = ${id} and not is_registered
    returning wallet_id`)
  return rows.length
}
