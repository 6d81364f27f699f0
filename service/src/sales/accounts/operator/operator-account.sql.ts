import { filteredCut, pageCut } from '../../../platform/api/declare/page.sql.ts'
import type { Page } from '../../../platform/api/declare/page.ts'
import { isUuid } from '../../../platform/base/ids.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import {
  type AccountKey,
  type AccountRow,
  type AccountSummaryRow,
  type AccountType,
  type ApprovalStatus,
  accountColumns,
  accountSummaryColumns,
} from '../account.sql.ts'

export interface AccountFilter {
  q?: string
  type?: AccountType
  kycStatus?: ApprovalStatus
  kybStatus?: ApprovalStatus
}

export interface AccountSearchRow extends AccountSummaryRow, Pick<AccountRow, 'kycStatus' | 'kybStatus'> {
  createdAt: Date
  updatedAt: Date
}

const searchColumns = sql`
  ${accountSummaryColumns}, account.kyc_status as "kycStatus", account.kyb_status as "kybStatus",
  account.created_at as "createdAt", account.updated_at as "updatedAt"`

/** Pages by position, like the list of integrators: every page costs the same, however many accounts exist. */
export function selectAllAccounts(tx: Transaction, tenantId: string, page: Page): Promise<AccountSearchRow[]> {
  const count = sql`(select account_count from cell.tenant where id = ${tenantId})`
  const { where, orderBy } = pageCut(sql`account.position`, count, page)
  return tx.rows<AccountSearchRow>(sql`
    select ${searchColumns} from cell.account
    where account.tenant_id = ${tenantId} and ${where} order by ${orderBy}`)
}

/**
 * Scans the accounts of the tenant. A trigram index would not help: under row-level security PostgreSQL uses an index
 * only for leakproof operators, and `ilike` is not leakproof.
 */
function matching(tenantId: string, { q, type, kycStatus, kybStatus }: AccountFilter): Sql {
  const pattern = q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`
  const id = q !== undefined && isUuid(q) ? q : null
  return sql`
    account.tenant_id = ${tenantId}
    and (${type ?? null}::text is null or account.type = ${type ?? null})
    and (${kycStatus ?? null}::text is null or account.kyc_status = ${kycStatus ?? null})
    and (${kybStatus ?? null}::text is null or account.kyb_status = ${kybStatus ?? null})
    and (${pattern}::text is null or account.full_name ilike ${pattern} or account.email ilike ${pattern}
         or account.id = ${id}::uuid)`
}

export async function countMatchingAccounts(tx: Transaction, tenantId: string, filter: AccountFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.account where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function selectMatchingAccounts(
  tx: Transaction,
  tenantId: string,
  filter: AccountFilter,
  page: Page,
): Promise<AccountSearchRow[]> {
  return tx.rows<AccountSearchRow>(sql`
    select ${searchColumns} from cell.account
    where ${matching(tenantId, filter)} ${filteredCut(sql`account.position`, page)}`)
}

export interface OperatorAccountRow extends AccountRow {
  createdAt: Date
  updatedAt: Date
  benefitingPersonCount: number
  /** Each once. */
  benefitingPersonCountries: string[]
  orderCount: string
  walletCount: string
  transactionCount: string
}

export function findOperatorAccount(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
): Promise<OperatorAccountRow | undefined> {
  return tx.row<OperatorAccountRow>(sql`
    select ${accountColumns}, account.created_at as "createdAt", account.updated_at as "updatedAt",
           account.benefiting_person_count as "benefitingPersonCount",
           array(select distinct country from cell.benefiting_person
                 where tenant_id = ${tenantId} and account_id = ${accountId} order by country)
             as "benefitingPersonCountries", account.order_count as "orderCount",
           account.wallet_count as "walletCount", account.transaction_count as "transactionCount"
    from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`)
}
