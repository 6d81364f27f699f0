import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountKey, accountCount } from '../accounts/account.sql.ts'
import type { walletProviders, walletTypes } from './wallet.schema.ts'
import type { WalletStatus } from './wallet-status.ts'

export interface WalletKey extends AccountKey {
  walletId: string
}

/** A row of cell.wallet. */
export interface WalletRow {
  id: string
  accountId: string
  publicAddress: string
  blockchain: string
  name: string
  provider: (typeof walletProviders)[number]
  type: (typeof walletTypes)[number]
  status: WalletStatus
  challengeNonce: string | null
  challengeExpiresAt: Date | null
  provenAt: Date | null
  createdAt: Date
}

/** Columns that integrators see of a wallet. */
export type WalletSummaryRow = Pick<WalletRow, 'id' | 'publicAddress' | 'name' | 'provider' | 'type' | 'status'>

const columns = sql`id, public_address as "publicAddress", name, provider, type, status`

export function findWallet(tx: Transaction, { tenantId, accountId, walletId }: WalletKey) {
  return tx.row<WalletSummaryRow>(sql`
    select ${columns} from cell.wallet
    where tenant_id = ${tenantId} and account_id = ${accountId} and id = ${walletId}`)
}

export function selectWalletsOfAccount(tx: Transaction, key: AccountKey, page: Page): Promise<WalletSummaryRow[]> {
  const { where, orderBy } = pageCut(sql`wallet.position`, accountCount(key, 'wallet_count'), page)
  return tx.rows<WalletSummaryRow>(sql`
    select ${columns} from cell.wallet
    where tenant_id = ${key.tenantId} and account_id = ${key.accountId} and ${where}
    order by ${orderBy}`)
}

/** Counts the unproven wallets of an account. Exact while the account's row is locked. */
export async function countPendingWallets(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.wallet
    where tenant_id = ${tenantId} and account_id = ${accountId} and status = 'PENDING'`)
  return found?.count ?? 0
}
