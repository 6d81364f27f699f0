import { Type } from 'typebox'
import { approvalStates } from '../../access/approvals/approval.schema.ts'
import { Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { Account } from '../../sales/accounts/account.schema.ts'
import { BenefitingPerson } from '../../sales/accounts/benefiting-person.schema.ts'
import { Document } from '../../sales/documents/document.schema.ts'
import { questionnaireOutcomes } from '../../sales/eligibility/questionnaire.schema.ts'
import { DistributionKind, entitlementStatuses } from '../../sales/entitlements/entitlement.schema.ts'
import { approvalKinds } from '../../sales/kyc-providers/kyc-check.schema.ts'
import { kycOutcomes } from '../../sales/kyc-providers/kyc-result.ts'
import { orderStatuses } from '../../sales/orders/order.schema.ts'
import { refundStatuses } from '../../sales/refunds/refund.schema.ts'
import { walletStatuses } from '../../sales/wallets/wallet.schema.ts'
import { TokenTransaction, WalletBalance } from '../../tokens/balances/balance.schema.ts'
import { TransferSummary } from '../../tokens/transfers/transfer.schema.ts'

/** More than any investor has; an export is one response. */
export const subjectRowsMax = 10_000

const Amount = (description: string) => Type.String({ description, examples: ['1250.00'] })
const Currency = Type.String({ examples: ['EUR'] })

const PersonName = orNull(Type.String({ examples: ['Ada Lovelace'] }))
const FullIban = orNull(Type.String({ examples: ['DE02120300000000202051'] }))
const RemittanceText = orNull(
  Type.String({ description: 'What the payer wrote on the transfer.', examples: ['tokens RF18539007547034'] }),
)

export const SubjectWallet = Named('SubjectWallet', {
  id: Uuid('The wallet.'),
  blockchain: Type.String({ examples: ['ethereum'] }),
  public_address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
  name: Type.String({ examples: ['Main wallet'] }),
  status: Type.Enum(walletStatuses),
  created_at: Timestamp('When it was registered.'),
})

export const SubjectOrder = Named('SubjectOrder', {
  id: Uuid('The order.'),
  offering_id: Uuid('The offering.'),
  offering_name: Type.String({ examples: ['Harbour Bond 2031'] }),
  status: Type.Enum(orderStatuses),
  units: Units('The amount ordered, in the smallest token unit.'),
  total_amount: Amount('The price of the order.'),
  currency: Currency,
  payment_reference: Type.String({ examples: ['RF18539007547034'] }),
  created_at: Timestamp('When it was created.'),
})

export const SubjectPayment = Named('SubjectPayment', {
  id: Uuid('The payment.'),
  order_id: Uuid('The order.'),
  amount: Amount('The amount.'),
  currency: Currency,
  received_at: Timestamp('When it was received.'),
  payer_name: PersonName,
  payer_iban: FullIban,
})

export const SubjectRefund = Named('SubjectRefund', {
  id: Uuid('The refund.'),
  order_id: Uuid('The order.'),
  amount: Amount('The amount.'),
  currency: Currency,
  status: Type.Enum(refundStatuses),
  failure: orNull(Type.String({ description: 'Why the transfer failed.' }), { examples: [null] }),
  created_at: Timestamp('When it became due.'),
})

const SubjectTransfer = Named('SubjectTransfer', {
  payout_id: Uuid('The payout.'),
  refund_id: Uuid('The refund.'),
  creditor_name: PersonName,
  creditor_iban: FullIban,
})

export const SubjectEntitlement = Named('SubjectEntitlement', {
  id: Uuid('The entitlement.'),
  distribution_id: Uuid('The distribution.'),
  offering_id: Uuid('The offering.'),
  kind: DistributionKind,
  address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
  units: Units('Units at the record time, in the smallest token unit.'),
  gross_amount: Amount('Before tax.'),
  withheld_amount: Amount('The tax that is withheld.'),
  net_amount: Amount('What is paid.'),
  currency: Currency,
  country: orNull(Type.String({ description: 'The country whose tax rate applies.', examples: ['DE'] })),
  status: Type.Enum(entitlementStatuses),
  failure: orNull(Type.String({ description: 'Why the bank returned it.' }), { examples: [null] }),
  record_at: Timestamp('The record time.'),
})

const SubjectEntitlementTransfer = Named('SubjectEntitlementTransfer', {
  file_id: Uuid('The file of a distribution.'),
  entitlement_id: Uuid('The entitlement.'),
  creditor_name: PersonName,
  creditor_iban: FullIban,
})

const SubjectUnassignedPayment = Named('SubjectUnassignedPayment', {
  id: Uuid('The payment, which was assigned to an order by hand.', 'The payment.'),
  amount: Amount('The amount.'),
  currency: Currency,
  received_at: Timestamp('When it was received.'),
  payer_name: PersonName,
  payer_iban: FullIban,
  text: RemittanceText,
})

const SubjectBankEntry = Named('SubjectBankEntry', {
  id: Uuid('The entry of a bank statement.', 'The entry.'),
  booked_on: Type.String({ format: 'date', description: 'When the bank booked it.', examples: ['2026-07-02'] }),
  amount: Amount('The amount.'),
  payer_name: PersonName,
  payer_iban: FullIban,
  text: RemittanceText,
  note: orNull(Type.String({ description: 'Why it needed attention.' }), { examples: [null] }),
  resolution: orNull(Type.String({ description: 'How an operator resolved it.' }), { examples: [null] }),
})

const SubjectKycCheck = Named('SubjectKycCheck', {
  id: Uuid('The KYC check.'),
  kind: Type.Enum(approvalKinds),
  outcome: Type.Enum(kycOutcomes),
  decided_at: Timestamp('When the provider decided.'),
  details: Type.Unknown({ description: 'What the provider said, in its own format.', examples: [{}] }),
})

const SubjectQuestionnaire = Named('SubjectQuestionnaire', {
  offering_id: Uuid('The offering.'),
  version: Type.Integer({ examples: [1] }),
  outcome: Type.Enum(questionnaireOutcomes),
  answered_at: Timestamp('When it was answered.'),
  answers: Type.Unknown({ description: 'The answers, by question.', examples: [{ experience: 'often' }] }),
})

const SubjectAcceptance = Named('SubjectAcceptance', {
  offering_id: Uuid('The offering.'),
  document_id: Uuid('The document.'),
  sha256: Document.properties.sha256,
  accepted_at: Timestamp('When it was accepted.'),
})

const SubjectNote = Named('SubjectNote', {
  at: Timestamp('When it was written.'),
  text: Type.String({ examples: ['Called: pays on Friday.'] }),
})

const SubjectProposal = Named('SubjectProposal', {
  at: Timestamp('When it was proposed.'),
  operation: Type.String({ description: 'The operation that was requested.', examples: ['correctAccount'] }),
  state: Type.Enum(approvalStates),
  body: Type.Unknown({
    description: 'The body of the request; null if it has none.',
    examples: [{ reason: 'letter of the investor' }],
  }),
})

const SubjectRecord = Named('SubjectRecord', {
  at: Timestamp('When it was done.'),
  action: Type.String({ description: 'What was done.', examples: ['account.revealed'] }),
})

const listOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Array(item, { maxItems: subjectRowsMax })

/** Everything that is stored about one investor. Documents are listed; each is downloaded by itself. */
export const SubjectData = Named('SubjectData', {
  account: Account,
  benefiting_persons: Type.Array(BenefitingPerson),
  wallets: listOf(SubjectWallet),
  orders: listOf(SubjectOrder),
  payments: listOf(SubjectPayment),
  refunds: listOf(SubjectRefund),
  transfers: listOf(SubjectTransfer),
  entitlements: listOf(SubjectEntitlement),
  entitlement_transfers: listOf(SubjectEntitlementTransfer),
  unassigned_payments: listOf(SubjectUnassignedPayment),
  bank_entries: listOf(SubjectBankEntry),
  kyc_checks: listOf(SubjectKycCheck),
  questionnaires: listOf(SubjectQuestionnaire),
  accepted_documents: listOf(SubjectAcceptance),
  balances: listOf(WalletBalance),
  transactions: listOf(TokenTransaction),
  token_transfers: listOf(TransferSummary),
  documents: listOf(Document),
  notes: listOf(SubjectNote),
  proposals: Type.Array(SubjectProposal, {
    maxItems: subjectRowsMax,
    description: 'Changes about the account, its orders, refunds and wallets that needed a second person.',
  }),
  records: Type.Array(SubjectRecord, {
    maxItems: subjectRowsMax,
    description: 'What the audit log says about the account.',
  }),
  is_complete: Type.Boolean({ description: `False if one of the lists has more than ${subjectRowsMax} entries.` }),
})
