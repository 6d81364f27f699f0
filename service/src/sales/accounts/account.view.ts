import type { Static } from 'typebox'
import type { Vault } from '../../platform/db/vault.ts'
import type { Account, AccountSummary } from './account.schema.ts'
import type { AccountRow, AccountSummaryRow } from './account.sql.ts'

type AccountView = Static<typeof Account>

export async function viewAccount(row: AccountRow, vault: Vault): Promise<AccountView> {
  const bankAccount = await openBankAccount(row, vault)
  const tax =
    row.taxInformation && JSON.parse(await vault.open(row.taxInformation, sealedField(row.id, 'tax_information')))
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

/** Where money of an account comes from and goes back to. */
export async function openBankAccount(
  { id, bankAccount }: Pick<AccountRow, 'id' | 'bankAccount'>,
  vault: Vault,
): Promise<AccountView['bank_account']> {
  return JSON.parse(await vault.open(bankAccount, sealedField(id, 'bank_account')))
}

/** What a sealed value is bound to: it opens in this field of this account and nowhere else. */
export function sealedField(accountId: string, field: 'bank_account' | 'tax_information'): string {
  return `account ${accountId} ${field}`
}

export function viewAccountSummary(row: AccountSummaryRow): Static<typeof AccountSummary> {
  return { id: row.accountId, full_name: row.accountFullName, email: row.accountEmail, type: row.accountType }
}
