import type { Address } from 'viem'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { TokenTransferRow } from './transfer.sql.ts'

export interface TransferWallet {
  id: string
  accountId: string
  blockchain: string
  /** Time at which the account was erased. */
  erasedAt: Date | null
}

export function selectTransferWallets(tx: Transaction, tenantId: string, ids: readonly string[]) {
  return tx.rows<TransferWallet>(sql`
    select wallet.id, wallet.account_id as "accountId", wallet.blockchain, account.erased_at as "erasedAt"
    from cell.wallet join cell.account on account.tenant_id = ${tenantId} and account.id = wallet.account_id
    where wallet.tenant_id = ${tenantId} and wallet.id = any (${[...ids]}::uuid[])`)
}

export async function findTransferAddresses(
  tx: Transaction,
  tenantId: string,
  { senderWalletId, receiverWalletId }: Pick<TokenTransferRow, 'senderWalletId' | 'receiverWalletId'>,
): Promise<{ from: Address; to: Address }> {
  const found = await tx.row<{ from: Address; to: Address }>(sql`
    select sender.public_address as "from", receiver.public_address as "to"
    from cell.wallet sender
    join cell.wallet receiver on receiver.tenant_id = ${tenantId} and receiver.id = ${receiverWalletId}
    where sender.tenant_id = ${tenantId} and sender.id = ${senderWalletId}`)
  if (!found) throw new Error('a wallet of the transfer does not exist')
  return found
}
