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
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import {
  type AccountKey,
  type AccountRow,
  type AccountSummaryRow,
  accountColumns,
  accountSummaryColumns,
} from '../account.sql.ts'
import type { RisksOfApprovals } from '../approval-risks.ts'

/** Members of the search. Those that are absent do not filter. */
export interface AccountFilter extends CreatedRange {
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

/** Distinct countries. */
const personCountries = sql`
  array(select distinct person.country from cell.benefiting_person person
        where person.tenant_id = account.tenant_id and person.account_id = account.id order by person.country)
    as "benefitingPersonCountries"`

const searchColumns = sql`
  ${accountSummaryColumns}, ${accountColumns}, account.created_at as "createdAt", account.updated_at as "updatedAt",
  ${personCountries}`

/** Every condition of the filter except `kyc_status`. */
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

/** Every condition of the filter except `q`. */
export function accountConditions(tenantId: string, filter: AccountFilter): Sql {
  return allOf([matching(tenantId, filter), isOneOf(itsStatus, filter.kyc_status)])
}

export function countMatchingAccounts(tx: Transaction, tenantId: string, filter: AccountFilter): Promise<number> {
  return boundedCount(tx, sql`from cell.account where ${accountConditions(tenantId, filter)}`)
}

export function selectMatchingAccounts(
  tx: Transaction,
  tenantId: string,
  filter: AccountFilter,
  page: KeysetPage,
): Promise<AccountSearchRow[]> {
  const from = sql`cell.account`
  const cut = keysetCut(id, page)
  const values = filter.kyc_status
  const where = pageCondition(matching(tenantId, filter), { id, from, column: itsStatus, values, cut })
  return tx.rows<AccountSearchRow>(sql`
    select ${searchColumns}, ${cut.column} from ${from} where ${where} ${cut.orderBy}`)
}

/** Returns the accounts of a page whose ids are known. */
export function selectAccountsOfPage(
  tx: Transaction,
  tenantId: string,
  ids: readonly string[],
  page: KeysetPage,
): Promise<AccountSearchRow[]> {
  const { column, orderBy } = keysetCut(id, page)
  return tx.rows<AccountSearchRow>(sql`
    select ${searchColumns}, ${column} from cell.account
    where account.tenant_id = ${tenantId} and ${id} = any (${ids}::uuid[]) ${orderBy}`)
}

/** Risks of an approval, which is based on a document or on a provider that approved. */
const risksOf = (kind: 'kyc' | 'kyb') => sql`
  array_remove(array[
    case when not exists (select from cell.document
                          where document.tenant_id = account.tenant_id and document.account_id = account.id)
          and not exists (select from cell.kyc_check
                          where kyc_check.tenant_id = account.tenant_id and kyc_check.account_id = account.id
                            and kyc_check.kind = ${kind} and kyc_check.outcome = 'approved')
         then 'document_missing' end,
    case when (select kyc_check.outcome from cell.kyc_check
               where kyc_check.tenant_id = account.tenant_id and kyc_check.account_id = account.id
                 and kyc_check.kind = ${kind}
               order by kyc_check.decided_at desc limit 1) = 'rejected'
         then 'provider_rejected' end,
    case when account.type = 'COMPANY' and account.benefiting_person_count = 0 then 'beneficial_owner_missing' end
  ], null)`

export interface OperatorAccountRow extends AccountRow {
  createdAt: Date
  updatedAt: Date
  benefitingPersonCount: number
  /** Distinct countries. */
  benefitingPersonCountries: string[]
  orderCount: string
  walletCount: string
  transactionCount: string
  approvalRisks: RisksOfApprovals
}

export function findOperatorAccount(tx: Transaction, { tenantId, accountId }: AccountKey) {
  return tx.row<OperatorAccountRow>(sql`
    select ${accountColumns}, account.created_at as "createdAt", account.updated_at as "updatedAt",
           account.benefiting_person_count as "benefitingPersonCount",
           ${personCountries}, account.order_count as "orderCount", account.wallet_count as "walletCount",
           account.transaction_count as "transactionCount",
           json_build_object('kyc', ${risksOf('kyc')}, 'kyb', ${risksOf('kyb')}) as "approvalRisks"
    from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`)
}
