import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { accountTypes, approvalStatuses } from './account.schema.ts'

/** Status of the check that counts for an account: KYB for a company, KYC for a person. */
export const accountApproval = sql`
  case account.type when 'COMPANY' then account.kyb_status else account.kyc_status end`

export const accountFingerprint = rowFingerprint(sql`cell.account`)

export type AccountType = (typeof accountTypes)[number]
export type ApprovalStatus = (typeof approvalStatuses)[number]

export interface AccountKey {
  tenantId: string
  accountId: string
}

export interface AccountRow {
  id: string
  type: AccountType
  email: string
  emailConfirmed: boolean
  isBeneficiary: boolean
  profile: Record<string, string>
  bankAccount: Buffer
  taxInformation: Buffer | null
  kycStatus: ApprovalStatus
  kybStatus: ApprovalStatus
  /** Time at which the personal data was erased; null for accounts in use. */
  erasedAt: Date | null
}

/** The columns of an AccountRow. */
export const accountColumns: Sql = sql`
  account.id, account.type, account.email, account.email_confirmed as "emailConfirmed",
  account.is_beneficiary as "isBeneficiary", account.profile, account.bank_account as "bankAccount",
  account.tax_information as "taxInformation", account.kyc_status as "kycStatus", account.kyb_status as "kybStatus",
  account.erased_at as "erasedAt"`

/** Increments the tenant's counter and inserts the account in one statement, to keep the lock on the counter short. */
export async function insertAccount(
  tx: Transaction,
  tenantId: string,
  account: Omit<AccountRow, 'erasedAt'>,
): Promise<void> {
  tx.later(sql`
    with counted as (
      update cell.tenant set account_count = account_count + 1 where id = ${tenantId}
      returning account_count - 1 as position
    )
    insert into cell.account (tenant_id, id, position, type, email, email_confirmed, is_beneficiary, profile,
                              bank_account, tax_information, kyc_status, kyb_status)
    select ${tenantId}, ${account.id}, position, ${account.type}, ${account.email}, ${account.emailConfirmed},
           ${account.isBeneficiary}, ${JSON.stringify(account.profile)}, ${account.bankAccount},
           ${account.taxInformation}, ${account.kycStatus}, ${account.kybStatus}
    from counted`)
}

const accountBy = ({ tenantId, accountId }: AccountKey): Sql => sql`
  select ${accountColumns} from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`

export function findAccount(tx: Transaction, key: AccountKey): Promise<AccountRow | undefined> {
  return tx.row<AccountRow>(accountBy(key))
}

export function lockAccount(tx: Transaction, key: AccountKey): Promise<AccountRow | undefined> {
  return tx.row<AccountRow>(sql`${accountBy(key)} for no key update`)
}

export async function updateLockedAccount(tx: Transaction, tenantId: string, account: AccountRow): Promise<void> {
  await tx.rows(sql`
    update cell.account
    set email = ${account.email}, email_confirmed = ${account.emailConfirmed}, bank_account = ${account.bankAccount},
        tax_information = ${account.taxInformation}, kyc_status = ${account.kycStatus},
        kyb_status = ${account.kybStatus}, updated_at = now()
    where tenant_id = ${tenantId} and id = ${account.id}`)
}

/**
 * Records a change of a locked account's bank data, so that refunds to it wait for a second person. Call it whenever
 * the plain data change, and not when they are only re-encrypted.
 */
export async function recordBankAccountChange(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<void> {
  await tx.rows(sql`
    update cell.account
    set bank_account_version = bank_account_version + 1, bank_account_changed_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = ${accountId}`)
}

export async function countAccounts(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: string }>(
    sql`select account_count as count from cell.tenant where id = ${tenantId}`,
  )
  return Number(found?.count ?? 0)
}

export function selectAccounts(tx: Transaction, tenantId: string, page: Page): Promise<AccountRow[]> {
  const count = sql`(select account_count from cell.tenant where id = ${tenantId})`
  const { where, orderBy } = pageCut(sql`account.position`, count, page)
  return tx.rows<AccountRow>(sql`
    select ${accountColumns} from cell.account where account.tenant_id = ${tenantId} and ${where} order by ${orderBy}`)
}

export interface AccountSummaryRow {
  accountId: string
  accountFullName: string
  accountEmail: string
  accountType: AccountType
}

/** Columns of an AccountSummaryRow, for statements that join the account. */
export const accountSummaryColumns: Sql = sql`
  account.id as "accountId", account.full_name as "accountFullName", account.email as "accountEmail",
  account.type as "accountType"`

/** Counters of an account, by which its lists page. */
export type AccountCounter =
  | 'order_count'
  | 'wallet_count'
  | 'balance_count'
  | 'transaction_count'
  | 'entitlement_count'

const counters: Record<AccountCounter, Sql> = {
  order_count: sql`account.order_count`,
  wallet_count: sql`account.wallet_count`,
  balance_count: sql`account.balance_count`,
  transaction_count: sql`account.transaction_count`,
  entitlement_count: sql`account.entitlement_count`,
}

/** Returns the summary of an account with one of its counters. */
export function findAccountWithCount(tx: Transaction, { tenantId, accountId }: AccountKey, counter: AccountCounter) {
  return tx.row<AccountSummaryRow & { count: string }>(sql`
    select ${accountSummaryColumns}, ${counters[counter]} as count
    from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`)
}

/** Returns the counter as an SQL expression, for the statement that reads the page. */
export function accountCount({ tenantId, accountId }: AccountKey, counter: AccountCounter): Sql {
  return sql`(select ${counters[counter]} from cell.account
              where account.tenant_id = ${tenantId} and account.id = ${accountId})`
}
