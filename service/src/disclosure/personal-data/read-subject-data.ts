import type { Static } from 'typebox'
import { openPayerAccount } from '../../money/payments/payment-payer.ts'
import { viewApiRow } from '../../platform/api/declare/api-row.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { Money } from '../../platform/base/money.ts'
import type { AccountKey, AccountRow } from '../../sales/accounts/account.sql.ts'
import { viewAccount } from '../../sales/accounts/account.view.ts'
import { selectBenefitingPersons } from '../../sales/accounts/benefiting-person.sql.ts'
import { selectDocumentsOfAccount } from '../../sales/documents/document.sql.ts'
import { viewDocument } from '../../sales/documents/document.view.ts'
import { selectAcceptancesOfAccount } from '../../sales/eligibility/subject-eligibility.sql.ts'
import { selectBalancePage, selectTransactionPage } from '../../tokens/balances/balance.sql.ts'
import { selectTransfersOfAccount } from '../../tokens/transfers/transfer.sql.ts'
import { viewTransferSummary } from '../../tokens/transfers/transfer.view.ts'
import { readSealedData } from './read-sealed-data.ts'
import { type SubjectData, subjectRowsMax } from './subject-data.schema.ts'
import {
  type EntitlementData,
  selectEntitlementData,
  selectOrderData,
  selectPaymentData,
  selectRecords,
  selectRefundData,
  selectWalletData,
} from './subject-data.sql.ts'

type Exported = Static<typeof SubjectData>

const everything: KeysetPage = { limit: subjectRowsMax, direction: 'asc', sort: 'position', after: undefined }

/** Reads everything that is stored about an investor; docs/security/data.md lists where. */
export async function readSubjectData(
  { tx, vault, now }: Pick<OperatorContext, 'tx' | 'vault' | 'now'>,
  key: AccountKey,
  account: AccountRow,
): Promise<Exported> {
  const [persons, wallets, orders, payments, refunds, entitlements] = await tx.batch(
    (tx) => selectBenefitingPersons(tx, key),
    (tx) => selectWalletData(tx, key),
    (tx) => selectOrderData(tx, key),
    (tx) => selectPaymentData(tx, key),
    (tx) => selectRefundData(tx, key),
    (tx) => selectEntitlementData(tx, key),
  )
  const [balances, transactions, tokenTransfers, documents, records] = await tx.batch(
    (tx) => selectBalancePage(tx, key, everything),
    (tx) => selectTransactionPage(tx, key, everything),
    (tx) => selectTransfersOfAccount(tx, key, subjectRowsMax + 1),
    (tx) => selectDocumentsOfAccount(tx, key),
    (tx) => selectRecords(tx, key),
  )
  const acceptances = await selectAcceptancesOfAccount(tx, key, subjectRowsMax + 1)
  const sealed = await readSealedData({ tx, vault, now }, key)
  const payers = await Promise.all(
    payments.map(async ({ id, payer }) => payer && openPayerAccount(vault, { paymentId: id, box: payer })),
  )
  const money = [payments, refunds, entitlements]
  const onChain = [wallets, balances, transactions, tokenTransfers]
  const lists = [orders, ...money, ...onChain, documents, records, acceptances]
  const isComplete = [...lists, ...Object.values(sealed)].every(({ length }) => length <= subjectRowsMax)
  return {
    account: await viewAccount(account, vault),
    benefiting_persons: persons,
    wallets: first(wallets, (wallet) => ({ ...wallet, created_at: wallet.created_at.toISOString() })),
    orders: first(orders, (order) => ({ ...order, created_at: order.created_at.toISOString() })),
    payments: first(payments, ({ payer: _payer, received_at: receivedAt, ...payment }, index) => ({
      ...payment,
      received_at: receivedAt.toISOString(),
      payer_name: payers[index]?.name ?? null,
      payer_iban: payers[index]?.iban ?? null,
    })),
    refunds: first(refunds, (refund) => ({ ...refund, created_at: refund.created_at.toISOString() })),
    transfers: first(sealed.transfers, asIs),
    entitlements: first(entitlements, viewEntitlementData),
    entitlement_transfers: first(sealed.entitlement_transfers, asIs),
    unassigned_payments: first(sealed.unassigned_payments, asIs),
    bank_entries: first(sealed.bank_entries, asIs),
    kyc_checks: first(sealed.kyc_checks, asIs),
    questionnaires: first(sealed.questionnaires, asIs),
    accepted_documents: first(acceptances, viewAcceptance),
    balances: first(balances, (balance) => viewApiRow(balance)),
    transactions: first(transactions, (transaction) => viewApiRow(transaction)),
    token_transfers: first(tokenTransfers, viewTransferSummary),
    documents: first(documents, viewDocument),
    notes: first(sealed.notes, asIs),
    proposals: first(sealed.proposals, asIs),
    records: first(records, ({ at, action }) => ({ at: at.toISOString(), action })),
    is_complete: isComplete,
  }
}

function first<Row, Item>(rows: readonly Row[], view: (row: Row, index: number) => Item): Item[] {
  return rows.slice(0, subjectRowsMax).map(view)
}

type Acceptance = Awaited<ReturnType<typeof selectAcceptancesOfAccount>>[number]

function viewAcceptance({ offeringId, documentId, sha256, acceptedAt }: Acceptance) {
  return {
    offering_id: offeringId,
    document_id: documentId,
    sha256: sha256.toString('hex'),
    accepted_at: acceptedAt.toISOString(),
  }
}

function viewEntitlementData({ grossMinor, withheldMinor, netMinor, record_at: at, ...entitlement }: EntitlementData) {
  const amountOf = (minorUnits: string) => Money.ofMinor(BigInt(minorUnits), entitlement.currency).toString()
  return {
    ...entitlement,
    gross_amount: amountOf(grossMinor),
    withheld_amount: amountOf(withheldMinor),
    net_amount: amountOf(netMinor),
    record_at: at.toISOString(),
  }
}

function asIs<Item>(item: Item): Item {
  return item
}
