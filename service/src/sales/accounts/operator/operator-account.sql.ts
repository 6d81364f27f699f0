import {
  allOf,
  boundedCount,
  type CreatedRange,
  isCreatedWithin,
  isEqual,
  isOneOf,
  keysetCut,
  pageCondition,
} from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import {
  type AccountKey,
  type AccountRow,
  type AccountSummaryRow,
  accountColumns,
  accountSummaryColumns,
} from '../account.sql.ts'

/** The members of the search that are given. */
export interface AccountFilter extends CreatedRange {
  q?: string | undefined
  type?: string | undefined
  kyc_status?: readonly string[] | undefined
  kyb_status?: readonly string[] | undefined
}

export interface AccountSearchRow extends AccountSummaryRow, AccountRow, KeysetRow {
  id: string
  createdAt: Date
  updatedAt: Date
  benefitingPersonCountries: string[]
}

/** Each once. */
const personCountries = sql`
  array(select distinct person.country from cell.benefiting_person person
        where person.tenant_id = account.tenant_id and person.account_id = account.id order by person.country)
    as "benefitingPersonCountries"`

const searchColumns = sql`
  ${accountSummaryColumns}, ${accountColumns}, account.created_at as "createdAt", account.updated_at as "updatedAt",
  ${personCountries}`

/** All conditions but those on `kyc_status` and `q`. */
function matching(tenantId: string, filter: AccountFilter): Sql {
  return allOf([
    sql`account.tenant_id = ${tenantId}`,
    isEqual(sql`account.type`, filter.type),
    isOneOf(sql`account.kyb_status`, filter.kyb_status),
    isCreatedWithin(sql`account.id`, sql`account.created_at`, filter),
  ])
}

const id = sql`account.id`
const itsStatus = sql`account.kyc_status`

/** `isNamed` is the condition of `q`. */
export function countMatchingAccounts(
  tx: Transaction,
  tenantId: string,
  filter: AccountFilter,
  isNamed: Sql | undefined,
): Promise<number> {
  const where = allOf([matching(tenantId, filter), isOneOf(itsStatus, filter.kyc_status), isNamed])
  return boundedCount(tx, sql`from cell.account where ${where}`)
}

export function selectMatchingAccounts(
  tx: Transaction,
  tenantId: string,
  filter: AccountFilter,
  { page, isNamed }: { page: KeysetPage; isNamed: Sql | undefined },
): Promise<AccountSearchRow[]> {
  const from = sql`cell.account`
  const cut = keysetCut(id, page)
  const others = matching(tenantId, filter)
  const where =
    isNamed === undefined
      ? pageCondition(others, { id, from, column: itsStatus, values: filter.kyc_status, cut })
      : // First the ids of the page, so that the thousands of accounts with a name are not read to be sorted.
        sql`account.tenant_id = ${tenantId} and ${id} = any (array(
          select ${id} from ${from}
          where ${allOf([others, isOneOf(itsStatus, filter.kyc_status), isNamed, cut.where])} ${cut.orderBy}))`
  return tx.rows<AccountSearchRow>(sql`
    select ${searchColumns}, ${cut.column} from ${from} where ${where} ${cut.orderBy}`)
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
           ${personCountries}, account.order_count as "orderCount", account.wallet_count as "walletCount",
           account.transaction_count as "transactionCount"
    from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`)
}
