import type { Static } from 'typebox'
import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type AccountKey, accountCount } from '../accounts/account.sql.ts'
import type { Wallet } from './wallet.schema.ts'

/** Rows are named as the contract names them, so a row is its own view. */
type WalletRow = Static<typeof Wallet>

export function findWallet(
  tx: Transaction,
  { tenantId, accountId, walletId }: AccountKey & { walletId: string },
): Promise<WalletRow | undefined> {
  return tx.row<WalletRow>(sql`
    select id, public_address, name, provider, type, status
    from cell.wallet
    where tenant_id = ${tenantId} and account_id = ${accountId} and id = ${walletId}`)
}

export function listWalletsOfAccount(tx: Transaction, key: AccountKey, page: Page): Promise<WalletRow[]> {
  const { where, orderBy } = pageCut(sql`wallet.position`, accountCount(key, 'wallet_count'), page)
  return tx.rows<WalletRow>(sql`
    select id, public_address, name, provider, type, status
    from cell.wallet
    where tenant_id = ${key.tenantId} and account_id = ${key.accountId} and ${where}
    order by ${orderBy}`)
}
