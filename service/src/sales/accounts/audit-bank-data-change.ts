import { electronicFormatIBAN } from 'ibantools'
import type { Static } from 'typebox'
import type { Audit } from '../../platform/api/declare/audit.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { Account } from './account.schema.ts'
import type { AccountRow } from './account.sql.ts'
import { decryptBankAccount } from './account.view.ts'

type BankAccount = Static<typeof Account>['bank_account']

/**
 * Audits a change of IBAN or account holder, which decides where refunds go. Returns false if neither changes. The
 * audit log has keyed hashes: they show which changes had the same value without revealing it.
 */
export async function auditBankDataChange(
  { vault, audit }: { vault: Vault; audit: Audit },
  account: Pick<AccountRow, 'id' | 'bankAccount'>,
  to: BankAccount,
): Promise<boolean> {
  if (!(await changesBankData(vault, account, to))) return false
  const from = await decryptBankAccount(account, vault)
  const [before, after] = await Promise.all([hashesOf(from, vault), hashesOf(to, vault)])
  audit({ action: 'account.bank_data_changed', subject: { type: 'account', id: account.id }, before, after })
  return true
}

/** Returns true if the IBAN or the account holder differs. */
export async function changesBankData(
  vault: Vault,
  account: Pick<AccountRow, 'id' | 'bankAccount'>,
  to: BankAccount,
): Promise<boolean> {
  const from = await decryptBankAccount(account, vault)
  return ibanOf(from) !== ibanOf(to) || from.account_holder !== to.account_holder
}

/** Hashes without binding to the account, so that equal values of several accounts have equal hashes. */
async function hashesOf(bankAccount: BankAccount, vault: Vault): Promise<Record<string, string>> {
  const [iban_hash, account_holder_hash] = await Promise.all([
    vault.hash(ibanOf(bankAccount), 'iban'),
    vault.hash(bankAccount.account_holder, 'account holder'),
  ])
  return { iban_hash, account_holder_hash }
}

/** Normalizes spaces and case: people enter an IBAN in groups of four. */
function ibanOf({ iban }: BankAccount): string {
  return (electronicFormatIBAN(iban) ?? '').toUpperCase()
}
