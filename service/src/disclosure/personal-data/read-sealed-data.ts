import type { Static } from 'typebox'
import { isApprovalExpired } from '../../access/approvals/approval.view.ts'
import { openEntitlementCreditor } from '../../distributions/sealed-transfer.ts'
import { openPayer } from '../../money/payments/unassigned-payment.view.ts'
import { openCreditor } from '../../money/payouts/sealed-creditor.ts'
import { openDetails } from '../../money/statements/statement.view.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { openRequest } from '../../platform/api/pipeline/propose.ts'
import { openNote } from '../../records/notes/note.view.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'
import { answersContext } from '../../sales/eligibility/eligibility.sql.ts'
import { selectAnswersOfAccount } from '../../sales/eligibility/subject-eligibility.sql.ts'
import { selectKycData } from '../../sales/kyc-providers/kyc-check.sql.ts'
import { kycDetailsContext } from '../../sales/kyc-providers/kyc-check.view.ts'
import { selectSealedRows, selectSubjectIds } from './erase.sql.ts'
import { type SubjectData, subjectRowsMax } from './subject-data.schema.ts'
import { selectSealedData } from './subject-data.sql.ts'

type Exported = Static<typeof SubjectData>
type SealedData = Pick<
  Exported,
  | 'transfers'
  | 'entitlement_transfers'
  | 'unassigned_payments'
  | 'bank_entries'
  | 'kyc_checks'
  | 'questionnaires'
  | 'notes'
  | 'proposals'
>

/** Opens the sealed data about an investor outside the account, its payments and its documents. */
export async function readSealedData(
  { tx, vault, now }: Pick<OperatorContext, 'tx' | 'vault' | 'now'>,
  key: AccountKey,
): Promise<SealedData> {
  const found = { ...(await selectSealedRows(tx, key)), subjects: await selectSubjectIds(tx, key) }
  const rows = await selectSealedData(tx, key.tenantId, found)
  return {
    kyc_checks: await readKycChecks({ tx, vault }, key),
    questionnaires: await readQuestionnaires({ tx, vault }, key),
    transfers: await Promise.all(
      rows.transfers.map(async ({ payoutId, refundId, creditor }) => {
        const { name, iban } = await openCreditor(vault, { payoutId, refundId }, creditor)
        return { payout_id: payoutId, refund_id: refundId, creditor_name: name, creditor_iban: iban }
      }),
    ),
    entitlement_transfers: await Promise.all(
      rows.entitlementTransfers.map(async ({ fileId, entitlementId, creditor }) => {
        const { name, iban } = await openEntitlementCreditor(vault, { fileId, entitlementId }, creditor)
        return { file_id: fileId, entitlement_id: entitlementId, creditor_name: name, creditor_iban: iban }
      }),
    ),
    unassigned_payments: await Promise.all(
      rows.unassignedPayments.map(async ({ id, amount, currency, receivedAt, payer }) => {
        const { name, iban, text } = await openPayer(vault, { id, payer })
        return { id, amount, currency, received_at: receivedAt.toISOString(), payer_name: name, payer_iban: iban, text }
      }),
    ),
    bank_entries: await Promise.all(
      rows.bankEntries.map(async ({ id, bookedOn, amount, details, note, resolution }) => {
        const { payerName, payerIban, text } = await openDetails(vault, { id, details })
        const payer = { payer_name: payerName, payer_iban: payerIban, text }
        return { id, booked_on: bookedOn, amount, ...payer, note, resolution }
      }),
    ),
    notes: await Promise.all(
      rows.notes.map(async (note) => ({ at: note.createdAt.toISOString(), text: await openNote(vault, note) })),
    ),
    proposals: await Promise.all(
      rows.approvals.map(async (approval) => ({
        at: approval.proposedAt.toISOString(),
        operation: approval.operation,
        state: isApprovalExpired(approval, now) ? 'expired' : approval.state,
        body: (await openRequest({ vault }, approval)).body ?? null,
      })),
    ),
  }
}

type ReadContext = Pick<OperatorContext, 'tx' | 'vault'>

async function readKycChecks({ tx, vault }: ReadContext, key: AccountKey): Promise<SealedData['kyc_checks']> {
  const checks = await selectKycData(tx, key, subjectRowsMax + 1)
  return Promise.all(
    checks.map(async ({ id, kind, outcome, decidedAt, details }) => ({
      id,
      kind,
      outcome,
      decided_at: decidedAt.toISOString(),
      details: details && JSON.parse(await vault.open(details, kycDetailsContext(id))),
    })),
  )
}

async function readQuestionnaires({ tx, vault }: ReadContext, key: AccountKey): Promise<SealedData['questionnaires']> {
  const answered = await selectAnswersOfAccount(tx, key, subjectRowsMax + 1)
  return Promise.all(
    answered.map(async ({ offeringId, version, outcome, answeredAt, answers }) => {
      const context = answersContext(offeringId, key.accountId, version)
      const opened = answers && JSON.parse(await vault.open(answers, context))
      return { offering_id: offeringId, version, outcome, answered_at: answeredAt.toISOString(), answers: opened }
    }),
  )
}
