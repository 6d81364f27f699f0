import type { ApiRow } from '../../platform/api/declare/api-row.ts'
import { keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { RawRows } from '../../platform/postgres/wire/raw-rows.ts'
import { type AccountKey, accountCount } from '../../sales/accounts/account.sql.ts'
import type { TokenTransaction as TransactionSchema, WalletBalance } from './balance.schema.ts'

type BalanceRow = ApiRow<typeof WalletBalance>
export type TransactionRow = ApiRow<typeof TransactionSchema, 'block_timestamp'>

const joins = sql`
  join cell.wallet on wallet.tenant_id = holding.tenant_id and wallet.id = holding.wallet_id
  join cell.offering on offering.tenant_id = holding.tenant_id and offering.id = holding.offering_id`

const balanceColumns = sql`
  holding.account_id, holding.wallet_id, wallet.public_address as wallet_address, holding.offering_id, offering.logo,
  offering.symbol, offering.decimals, holding.balance::text as balance`

const transactionColumns = sql`
  holding.id, holding.account_id, holding.wallet_id, wallet.public_address as wallet_address, holding.offering_id,
  offering.name, offering.symbol, offering.decimals, holding.transaction_type, holding.transaction_hash,
  holding.units::text as units, holding.status, holding.tx_from, holding.tx_to, holding.block_timestamp`

export function selectBalancesOfAccount(
  tx: Transaction,
  key: AccountKey,
  { page, language }: { page: Page; language: string | null },
): Promise<BalanceRow[]> {
  const { where, orderBy } = pageCut(sql`holding.position`, accountCount(key, 'balance_count'), page)
  return tx.rows<BalanceRow>(sql`
    select ${balanceColumns}, coalesce(translated.name, offering.name) as name
    from cell.wallet_balance holding ${joins}
    left join cell.offering_name translated
      on translated.tenant_id = holding.tenant_id and translated.offering_id = holding.offering_id
      and translated.language = ${language}
    where holding.tenant_id = ${key.tenantId} and holding.account_id = ${key.accountId} and ${where}
    order by ${orderBy}`)
}

export function selectTransactionsOfAccount(
  tx: Transaction,
  key: AccountKey,
  page: Page,
): Promise<RawRows<TransactionRow>> {
  const { where, orderBy } = pageCut(sql`holding.position`, accountCount(key, 'transaction_count'), page)
  return tx.rawRows<TransactionRow>(sql`
    select ${transactionColumns}
    from cell.token_transaction holding ${joins}
    where holding.tenant_id = ${key.tenantId} and holding.account_id = ${key.accountId} and ${where}
    order by ${orderBy}`)
}

/** Selects a page of balances for operators. Positions are unique within an account, so they alone decide the order. */
export function selectBalancePage(
  tx: Transaction,
  key: AccountKey,
  page: KeysetPage,
): Promise<(BalanceRow & KeysetRow)[]> {
  const { column, where, orderBy } = keysetCut(sql`holding.position`, page, {}, 'bigint')
  return tx.rows(sql`
    select ${column}, ${balanceColumns}, offering.name
    from cell.wallet_balance holding ${joins}
    where holding.tenant_id = ${key.tenantId} and holding.account_id = ${key.accountId} and ${where} ${orderBy}`)
}

export function selectTransactionPage(
  tx: Transaction,
  key: AccountKey,
  page: KeysetPage,
): Promise<(TransactionRow & KeysetRow)[]> {
  const { column, where, orderBy } = keysetCut(sql`holding.position`, page, {}, 'bigint')
  return tx.rows(sql`
    select ${column}, ${transactionColumns}
    from cell.token_transaction holding ${joins}
    where holding.tenant_id = ${key.tenantId} and holding.account_id = ${key.accountId} and ${where} ${orderBy}`)
}
