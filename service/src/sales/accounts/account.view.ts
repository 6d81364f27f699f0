import type { Static } from 'typebox'
import { viewOf } from '../../platform/api/declare/view-of.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { type Account, AccountSummary } from './account.schema.ts'
import type { AccountRow } from './account.sql.ts'

type AccountView = Static<typeof Account>

export async function viewAccount(row: AccountRow, vault: Vault): Promise<AccountView> {
  const bankAccount = await decryptBankAccount(row, vault)
  const tax =
    row.taxInformation && JSON.parse(await vault.open(row.taxInformation, encryptionContext(row.id, 'tax_information')))
  return viewOpenAccount(row, bankAccount, tax)
}

/** Views an account whose encrypted values are known, because they have just been encrypted. */
export function viewOpenAccount(
  row: Omit<AccountRow, 'bankAccount' | 'taxInformation'>,
  bankAccount: AccountView['bank_account'],
  tax: AccountView['tax_information'] | null,
): AccountView {
  return {
    id: row.id,
    type: row.type,
    communication: { email: row.email, email_confirmed: row.emailConfirmed },
    bank_account: bankAccount,
    is_beneficiary: row.isBeneficiary,
    ...(tax ? { tax_information: tax } : {}),
    ...(row.type === 'COMPANY'
      ? { company: row.profile as NonNullable<AccountView['company']> }
      : { individual: row.profile as NonNullable<AccountView['individual']> }),
    kyc: { status: row.kycStatus },
    kyb: { status: row.kybStatus },
  }
}

/** Decrypts the bank account from which payments come and to which refunds go. */
export async function decryptBankAccount(
  { id, bankAccount }: Pick<AccountRow, 'id' | 'bankAccount'>,
  vault: Vault,
): Promise<AccountView['bank_account']> {
  return JSON.parse(await vault.open(bankAccount, encryptionContext(id, 'bank_account')))
}

/** Returns the encryption context of a value: it decrypts only for this field of this account. */
export function encryptionContext(accountId: string, field: 'bank_account' | 'tax_information'): string {
  return `account ${accountId} ${field}`
}

/** Column of each member. Lists that write rows as they come use it too. */
export const accountSummaryMembers = {
  id: 'accountId',
  full_name: 'accountFullName',
  email: 'accountEmail',
  type: 'accountType',
} as const

export const viewAccountSummary = viewOf(AccountSummary, accountSummaryMembers)
