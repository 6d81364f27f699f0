import type { Static } from 'typebox'
import type { TenantContext } from '../../platform/api/declare/operation.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { replaceTerms } from '../../records/search/search-term.sql.ts'
import type { AccountChange } from './account.schema.ts'
import { type AccountKey, type AccountRow, recordBankAccountChange, updateLockedAccount } from './account.sql.ts'
import { encryptionContext } from './account.view.ts'
import { accountTerms } from './account-terms.ts'
import { auditBankDataChange } from './audit-bank-data-change.ts'
import { recordApprovalChange } from './record-approval-change.ts'
import { requireNotErased } from './require-not-erased.ts'

/** Replaces each given object of a locked account. The same rules apply to integrators and to operators. */
export async function changeAccount(
  { tx, vault, audit }: Pick<TenantContext, 'tx' | 'vault' | 'audit'>,
  key: AccountKey,
  account: AccountRow,
  change: Static<typeof AccountChange>,
): Promise<AccountRow> {
  requireNotErased(account)
  const { communication, bank_account, tax_information, kyc, kyb } = change
  const isNewBankData = bank_account && (await auditBankDataChange({ vault, audit }, account, bank_account))
  const changed = {
    ...account,
    ...(communication && { email: communication.email, emailConfirmed: communication.email_confirmed }),
    ...(bank_account && {
      bankAccount: await vault.seal(JSON.stringify(bank_account), encryptionContext(account.id, 'bank_account')),
    }),
    ...(tax_information && {
      taxInformation: await vault.seal(
        JSON.stringify(tax_information),
        encryptionContext(account.id, 'tax_information'),
      ),
    }),
    ...(kyc && { kycStatus: kyc.status }),
    ...(kyb && { kybStatus: kyb.status }),
  }
  const approvals = [
    { kind: 'kyc', status: changed.kycStatus, previousStatus: account.kycStatus },
    { kind: 'kyb', status: changed.kybStatus, previousStatus: account.kybStatus },
  ] as const
  const terms = (communication || bank_account) && (await accountTerms(changed, vault))
  const data = { account_id: account.id, changed: Object.keys(change) }
  await tx.batch(
    (tx) => updateLockedAccount(tx, key.tenantId, changed),
    (tx) => terms && replaceTerms(tx, key.tenantId, terms),
    (tx) => isNewBankData && recordBankAccountChange(tx, key),
    (tx) => recordEvent(tx, key.tenantId, { type: 'account.updated', data }),
    ...approvals
      .filter(({ status, previousStatus }) => status !== previousStatus)
      .map((approval) => (tx: Transaction) => recordApprovalChange({ tx, audit }, key, approval)),
  )
  return changed
}
