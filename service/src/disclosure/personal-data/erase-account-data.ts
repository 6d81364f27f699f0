import { countStoredFiles } from '../../access/tenants/count-stored-files.ts'
import { distributionFileContext, sealEntitlementCreditor } from '../../distributions/sealed-transfer.ts'
import { sealPayer } from '../../money/payments/unassigned-payment.view.ts'
import { withoutCreditors } from '../../money/payouts/credit-transfer-file.ts'
import { payoutFileContext } from '../../money/payouts/operator/download-payout.ts'
import { sealCreditor } from '../../money/payouts/sealed-creditor.ts'
import { sealDetails } from '../../money/statements/statement.view.ts'
import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { sealedForProposal } from '../../platform/api/pipeline/propose.ts'
import { deleteNotesAbout } from '../../records/notes/note.sql.ts'
import { deleteTerms } from '../../records/search/search-term.sql.ts'
import type { AccountKey, AccountRow } from '../../sales/accounts/account.sql.ts'
import { encryptionContext } from '../../sales/accounts/account.view.ts'
import { deleteDocumentRows, selectDocumentsOfAccount } from '../../sales/documents/document.sql.ts'
import { eraseAnswers } from '../../sales/eligibility/subject-eligibility.sql.ts'
import { eraseKycDetails } from '../../sales/kyc-providers/kyc-check.sql.ts'
import { eraseExtracts } from '../register-extracts/register-extract.sql.ts'
import {
  type CreditorFileTable,
  deleteStatementFiles,
  eraseApprovalRequest,
  eraseBankEntry,
  eraseCreditor,
  eraseEntitlementCreditor,
  erasePayers,
  eraseTexts,
  eraseUnassignedPayer,
  lockCreditorFile,
  overwriteAccount,
  type SealedRows,
  selectSealedRows,
  selectSubjectIds,
  updateLockedCreditorFile,
} from './erase.sql.ts'
import {
  erasedBankAccount,
  erasedCreditor,
  erasedEmail,
  erasedEntryDetails,
  erasedPayer,
  erasedProfile,
  erasedRequest,
} from './placeholders.ts'

type Context = Pick<TenantContext, 'tx' | 'vault' | 'now'>

/**
 * Overwrites everything that identifies the investor; ids, amounts and times stay. Returns how much was erased. Stored
 * responses of idempotency keys are sealed and expire within a day, so they are left to expire.
 */
export async function eraseAccountData(
  context: Context,
  key: AccountKey,
  account: AccountRow,
): Promise<Record<string, number>> {
  const { tx, vault, now } = context
  const bankAccount = await vault.seal(JSON.stringify(erasedBankAccount), encryptionContext(account.id, 'bank_account'))
  await overwriteAccount(tx, key, { email: erasedEmail, profile: erasedProfile(account.type), bankAccount, now })
  await eraseTexts(tx, key)
  await erasePayers(tx, key)
  const documents = await selectDocumentsOfAccount(tx, key)
  const documentBytes = await deleteDocumentRows(
    tx,
    key.tenantId,
    documents.map(({ id }) => id),
  )
  const kycChecks = await eraseKycDetails(tx, key, now)
  const answers = await eraseAnswers(tx, key)
  const extracts = await eraseExtracts(tx, key)
  const subjects = await selectSubjectIds(tx, key)
  const notes = await deleteNotesAbout(tx, key.tenantId, subjects)
  await deleteTerms(tx, key.tenantId, subjects)
  const sealed = await selectSealedRows(tx, key)
  await eraseSealedRows(context, key, sealed)
  const statementBytes = await deleteStatementFiles(tx, key.tenantId, sealed.bankEntries)
  await eraseFromFiles(context, key, {
    table: 'cell.payout',
    contextOf: payoutFileContext,
    transfers: sealed.transfers.map(({ payoutId, refundId }) => [payoutId, refundId]),
  })
  await eraseFromFiles(context, key, {
    table: 'cell.distribution_file',
    contextOf: distributionFileContext,
    transfers: sealed.entitlementTransfers.map(({ fileId, entitlementId }) => [fileId, entitlementId]),
  })
  await countStoredFiles(tx, key.tenantId, -(documentBytes + statementBytes))
  return {
    documents: documents.length,
    kyc_checks: kycChecks,
    questionnaires: answers,
    register_extracts: extracts,
    notes,
    bank_entries: sealed.bankEntries.length,
    unassigned_payments: sealed.unassignedPayments.length,
    transfers: sealed.transfers.length + sealed.entitlementTransfers.length,
    approvals: sealed.approvals.length,
  }
}

async function eraseSealedRows({ tx, vault }: Context, { tenantId }: AccountKey, rows: SealedRows): Promise<void> {
  for (const id of rows.unassignedPayments) await eraseUnassignedPayer(tx, id, await sealPayer(vault, id, erasedPayer))
  for (const id of rows.bankEntries) await eraseBankEntry(tx, id, await sealDetails(vault, id, erasedEntryDetails))
  for (const transfer of rows.transfers)
    await eraseCreditor(tx, transfer, await sealCreditor(vault, transfer, erasedCreditor))
  for (const transfer of rows.entitlementTransfers)
    await eraseEntitlementCreditor(tx, transfer, await sealEntitlementCreditor(vault, transfer, erasedCreditor))
  const request = JSON.stringify(erasedRequest)
  for (const id of rows.approvals)
    await eraseApprovalRequest(tx, { tenantId, id }, await vault.seal(request, sealedForProposal(id)))
}

/** Removes the investor's transfers from the files of banks, by the id of the file; those of others stay. */
async function eraseFromFiles(
  { tx, vault }: Context,
  { tenantId }: AccountKey,
  {
    table,
    contextOf,
    transfers,
  }: { table: CreditorFileTable; contextOf: (id: string) => string; transfers: [string, string][] },
): Promise<void> {
  for (const [id, ofFile] of Map.groupBy(transfers, ([fileId]) => fileId)) {
    const sealed = await lockCreditorFile(tx, table, { tenantId, id })
    if (!sealed) continue
    const content = withoutCreditors(
      await vault.open(sealed, contextOf(id)),
      ofFile.map(([, transferId]) => transferId),
    )
    await updateLockedCreditorFile(tx, table, { tenantId, id, file: await vault.seal(content, contextOf(id)) })
  }
}
