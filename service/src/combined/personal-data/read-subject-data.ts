import type { Static } from 'typebox'
import { openPayerAccount } from '../../money/payments/payment-payer.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import type { AccountKey, AccountRow } from '../../sales/accounts/account.sql.ts'
import { viewAccount } from '../../sales/accounts/account.view.ts'
import { selectBenefitingPersons } from '../../sales/accounts/benefiting-person.sql.ts'
import { selectDocumentsOfAccount } from '../../sales/documents/document.sql.ts'
import { viewDocument } from '../../sales/documents/document.view.ts'
import { selectBalancePage, selectTransactionPage } from '../../tokens/holdings/holding.sql.ts'
import { readSealedData } from './read-sealed-data.ts'
import { type SubjectData, subjectRowsMax } from './subject-data.schema.ts'
import {
  selectOrderData,
  selectPaymentData,
  selectRecords,
  selectRefundData,
  selectWalletData,
} from './subject-data.sql.ts'

type Exported = Static<typeof SubjectData>

const everything: KeysetPage = { limit: subjectRowsMax, direction: 'asc', sort: 'position', after: undefined }

/** Everything that is stored about an investor; docs/security/data.md lists where. */
export async function readSubjectData(
  { tx, vault, now }: Pick<OperatorContext, 'tx' | 'vault' | 'now'>,
  key: AccountKey,
  account: AccountRow,
): Promise<Exported> {
  const [persons, wallets, orders, payments, refunds, balances, transactions, documents, records] = await Promise.all([
    selectBenefitingPersons(tx, key),
    selectWalletData(tx, key),
    selectOrderData(tx, key),
    selectPaymentData(tx, key),
    selectRefundData(tx, key),
    selectBalancePage(tx, key, everything),
    selectTransactionPage(tx, key, everything),
    selectDocumentsOfAccount(tx, key),
    selectRecords(tx, key),
  ])
  const sealed = await readSealedData({ tx, vault, now }, key)
  const payers = await Promise.all(
    payments.map(async ({ id, payer }) => payer && openPayerAccount(vault, { paymentId: id, box: payer })),
  )
  const lists = [wallets, orders, payments, refunds, balances, transactions, documents, records]
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
    unassigned_payments: first(sealed.unassigned_payments, asIs),
    bank_entries: first(sealed.bank_entries, asIs),
    balances: first(balances, ({ id: _id, sortKey: _key, ...balance }) => balance),
    transactions: first(transactions, ({ sortKey: _key, block_timestamp: at, ...transaction }) => ({
      ...transaction,
      block_timestamp: at.toISOString(),
    })),
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

function asIs<Item>(item: Item): Item {
  return item
}
