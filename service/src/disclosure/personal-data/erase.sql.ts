import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'

/** The orders of the account, for a condition with `in`. */
export const ordersOf = ({ tenantId, accountId }: AccountKey): Sql => sql`
  (select id from cell.token_order where tenant_id = ${tenantId} and account_id = ${accountId})`

const refundsOf = (key: AccountKey): Sql => sql`
  (select id from cell.refund where tenant_id = ${key.tenantId} and order_id in ${ordersOf(key)})`

const entitlementsOf = ({ tenantId, accountId }: AccountKey): Sql => sql`
  (select id from cell.entitlement where tenant_id = ${tenantId} and account_id = ${accountId})`

/** Unassigned payments that went only to orders of this account: of several accounts, any may be the payer. */
const unassignedPaymentsOf = (key: AccountKey): Sql => sql`
  select id from cell.unassigned_payment where tenant_id = ${key.tenantId} and order_id in ${ordersOf(key)}
  union
  select unassigned_payment_id as id from cell.payment
  where tenant_id = ${key.tenantId} and unassigned_payment_id in (
    select unassigned_payment_id from cell.payment
    where tenant_id = ${key.tenantId} and unassigned_payment_id is not null and order_id in ${ordersOf(key)})
  group by unassigned_payment_id having bool_and(order_id in ${ordersOf(key)})`

/** Overwrites the account itself. `full_name` follows from the profile. */
export async function overwriteAccount(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  empty: { email: string; profile: object; bankAccount: Buffer; now: Date },
): Promise<void> {
  await tx.rows(sql`
    update cell.account
    set email = ${empty.email}, email_confirmed = false, profile = ${JSON.stringify(empty.profile)},
        bank_account = ${empty.bankAccount}, tax_information = null, bank_account_version = bank_account_version + 1,
        bank_account_changed_at = ${empty.now}, kyc_status = 'DEACTIVATED', kyb_status = 'DEACTIVATED',
        benefiting_person_count = 0, erased_at = ${empty.now}, updated_at = ${empty.now}
    where tenant_id = ${tenantId} and id = ${accountId}`)
}

/** Deletes the benefiting persons, and overwrites free text about the wallets and refunds of the account. */
export async function eraseTexts(tx: Transaction, key: AccountKey): Promise<void> {
  const { tenantId, accountId } = key
  await tx.rows(sql`
    delete from cell.benefiting_person where tenant_id = ${tenantId} and account_id = ${accountId}`)
  await tx.rows(sql`
    update cell.wallet set name = 'erased' where tenant_id = ${tenantId} and account_id = ${accountId}`)
  await tx.rows(sql`
    update cell.refund set failure = 'erased'
    where tenant_id = ${tenantId} and failure is not null and id in ${refundsOf(key)}`)
  await tx.rows(sql`
    update cell.entitlement set failure = 'erased'
    where tenant_id = ${tenantId} and failure is not null and account_id = ${accountId}`)
}

/** Erases payers. The database functions change nothing unless the account is erased already. */
export async function erasePayers(tx: Transaction, { accountId }: AccountKey): Promise<void> {
  await tx.rows(sql`select cell.erase_payers(${accountId})`)
}

export interface SealedRows {
  unassignedPayments: string[]
  bankEntries: string[]
  transfers: { payoutId: string; refundId: string }[]
  entitlementTransfers: { fileId: string; entitlementId: string }[]
  approvals: string[]
}

/** Selects the rows with sealed data about the account, other than the account, its payments and its documents. */
export async function selectSealedRows(tx: Transaction, key: AccountKey): Promise<SealedRows> {
  const { tenantId, accountId } = key
  const idsOf = async (query: Sql) => (await tx.rows<{ id: string }>(query)).map(({ id }) => id)
  const unassignedPayments = await idsOf(unassignedPaymentsOf(key))
  const bankEntries = await idsOf(sql`
    select id from cell.bank_entry
    where tenant_id = ${tenantId} and (
      order_id in ${ordersOf(key)} or refund_id in ${refundsOf(key)} or entitlement_id in ${entitlementsOf(key)}
      or unassigned_payment_id = any (${unassignedPayments}::uuid[]))`)
  const transfers = await tx.rows<{ payoutId: string; refundId: string }>(sql`
    select payout_id as "payoutId", refund_id as "refundId" from cell.payout_refund
    where tenant_id = ${tenantId} and refund_id in ${refundsOf(key)}`)
  const entitlementTransfers = await tx.rows<{ fileId: string; entitlementId: string }>(sql`
    select file_id as "fileId", entitlement_id as "entitlementId" from cell.distribution_transfer
    where tenant_id = ${tenantId} and entitlement_id in ${entitlementsOf(key)}`)
  const approvals = await idsOf(sql`
    select id from base.approval
    where tenant_id = ${tenantId} and database = 'cell' and (
      subject_id = ${accountId} or subject_id in ${ordersOf(key)} or subject_id in ${refundsOf(key)}
      or subject_id in ${entitlementsOf(key)}
      or subject_id in (select id from cell.wallet where tenant_id = ${tenantId} and account_id = ${accountId})
      or subject_id in (select id from cell.kyc_check where tenant_id = ${tenantId} and account_id = ${accountId}))`)
  return { unassignedPayments, bankEntries, transfers, entitlementTransfers, approvals }
}

export async function eraseUnassignedPayer(tx: Transaction, id: string, placeholder: Buffer): Promise<void> {
  await tx.rows(sql`select cell.erase_unassigned_payer(${id}, ${placeholder})`)
}

export async function eraseBankEntry(tx: Transaction, id: string, placeholder: Buffer): Promise<void> {
  await tx.rows(sql`select cell.erase_bank_entry(${id}, ${placeholder})`)
}

/** Deletes whole files: a file contains data of many people, and its entries are stored separately. */
export async function deleteStatementFiles(
  tx: Transaction,
  tenantId: string,
  bankEntries: readonly string[],
): Promise<number> {
  const chunks = await tx.rows<{ bytes: number }>(sql`
    delete from cell.statement_file where tenant_id = ${tenantId} and file_hash in (
      select bank_statement.file_hash from cell.bank_statement
      join cell.bank_entry on bank_entry.tenant_id = bank_statement.tenant_id
        and bank_entry.statement_id = bank_statement.id
      where bank_statement.tenant_id = ${tenantId} and bank_entry.id = any (${bankEntries}::uuid[]))
    returning octet_length(content) as bytes`)
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0)
}

export async function eraseCreditor(
  tx: Transaction,
  { payoutId, refundId }: { payoutId: string; refundId: string },
  placeholder: Buffer,
): Promise<void> {
  await tx.rows(sql`select cell.erase_creditor(${payoutId}, ${refundId}, ${placeholder})`)
}

export async function eraseEntitlementCreditor(
  tx: Transaction,
  { fileId, entitlementId }: { fileId: string; entitlementId: string },
  placeholder: Buffer,
): Promise<void> {
  await tx.rows(sql`select cell.erase_entitlement_creditor(${fileId}, ${entitlementId}, ${placeholder})`)
}

/** Tables with a file that names many creditors. */
export type CreditorFileTable = 'cell.payout' | 'cell.distribution_file'

/** Locks the row. Returns undefined if it has no file: nobody has downloaded it. */
export async function lockCreditorFile(
  tx: Transaction,
  table: CreditorFileTable,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Buffer | undefined> {
  const found = await tx.row<{ file: Buffer | null }>(sql`
    select file from ${raw(table)} where tenant_id = ${tenantId} and id = ${id} for no key update`)
  return found?.file ?? undefined
}

export async function updateLockedCreditorFile(
  tx: Transaction,
  table: CreditorFileTable,
  { tenantId, id, file }: { tenantId: string; id: string; file: Buffer },
): Promise<void> {
  await tx.rows(sql`update ${raw(table)} set file = ${file} where tenant_id = ${tenantId} and id = ${id}`)
}

export async function eraseApprovalRequest(
  tx: Transaction,
  { tenantId, id }: { tenantId: string; id: string },
  placeholder: Buffer,
): Promise<void> {
  await tx.rows(sql`update base.approval set request = ${placeholder} where tenant_id = ${tenantId} and id = ${id}`)
}

/** Returns the ids of everything that notes and search terms about the investor can refer to. */
export async function selectSubjectIds(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<string[]> {
  const orders = sql`select id from cell.token_order where tenant_id = ${tenantId} and account_id = ${accountId}`
  const found = await tx.rows<{ id: string }>(sql`
    select ${accountId}::uuid as id
    union ${orders}
    union select id from cell.wallet where tenant_id = ${tenantId} and account_id = ${accountId}
    union select id from cell.payment where tenant_id = ${tenantId} and order_id in (${orders})
    union select id from cell.refund where tenant_id = ${tenantId} and order_id in (${orders})
    union (${unassignedPaymentsOf({ tenantId, accountId })})`)
  return found.map(({ id }) => id)
}
