import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import { WalletOwner } from '../chain/wallet-owner.ts'
import { benefitingPerson, newOffering } from '../data/bodies.ts'
import { bulkOf, type OperatorRequest } from './operator-request.ts'
import {
  account,
  challenged,
  document,
  draft,
  missedSoftCap,
  newAccount,
  openOffering,
  orderIn,
  pausedOffering,
  wallet,
  walletIn,
} from './prepared-sales.ts'

const textFile: OperatorRequest = { body: () => crypto.randomUUID(), headers: { 'content-type': 'text/plain' } }

/** Valid requests of operations, by id. */
export const salesRequests: Readonly<Record<string, OperatorRequest>> = {
  createOffering: { body: () => newOffering },
  updateOffering: { body: () => ({ name: crypto.randomUUID() }), prepare: draft },
  openOffering: { prepare: draft },
  closeOffering: { prepare: openOffering },
  refundAllOrders: { body: () => ({ reason: 'soft cap missed' }), prepare: missedSoftCap },
  pauseOffering: { body: () => ({ reason: 'wrong prospectus' }), prepare: openOffering },
  resumeOffering: { body: () => ({ reason: 'corrected' }), prepare: pausedOffering },
  changeSaleTerms: {
    body: () => ({ closes_at: '2099-01-01T00:00:00.000Z', reason: 'extended' }),
    prepare: openOffering,
  },
  setLockUp: {
    body: () => ({ lock_up_until: '2099-01-01T00:00:00.000Z', reason: 'the terms of the bond' }),
    prepare: openOffering,
  },
  setRegisterDetails: {
    body: () => ({
      isin: 'US0378331005',
      issuer_name: 'Harbour Issuer GmbH',
      issuer_lei: '7H6GLXDRUGQFU57RNE97',
      nominal_amount: '1000',
      nominal_currency: 'EUR',
      extract_format: 'pdf',
    }),
    prepare: openOffering,
  },
  searchAccounts: { body: () => ({ q: 'example' }) },
  decideAccount: {
    body: () => ({ kyb: 'APPROVED', reason: 'register checked', acknowledged: approvalRisks }),
    prepare: newAccount,
  },
  revealAccount: {},
  correctAccount: {
    body: () => ({
      communication: { email: `${crypto.randomUUID()}@example.com`, email_confirmed: true },
      reason: 'letter of the investor',
    }),
  },
  createBenefitingPerson: { body: () => benefitingPerson },
  exportSubjectData: {},
  eraseAccount: { body: () => ({ reason: 'request of the investor' }), prepare: newAccount },
  uploadAccountDocument: textFile,
  uploadOrderDocument: textFile,
  uploadOfferingDocument: textFile,
  downloadDocument: {},
  deleteDocument: { body: () => ({ reason: 'replaced' }), prepare: document },
  registerWallet: { body: () => new WalletOwner().body() },
  challengeWallet: { prepare: walletIn('INACTIVE') },
  proveWallet: {
    body: ({ message = 'none', signature = `0x${'00'.repeat(65)}` }) => ({ message, signature }),
    prepare: challenged,
  },
  suspendWallet: { body: () => ({ reason: 'lost' }), prepare: wallet },
  resumeWallet: { body: () => ({ reason: 'found' }), prepare: walletIn('SUSPENDED') },
  retireWallet: { body: () => ({ reason: 'replaced' }), prepare: wallet },
  createOrder: {
    body: ({ accountId }) => ({ account_id: accountId, units: '1000000000', reason: 'by letter' }),
    prepare: openOffering,
  },
  acceptOrder: { prepare: orderIn('ORDERED') },
  extendPaymentDeadline: {
    body: () => ({ payment_due_at: '2099-01-01T00:00:00.000Z' }),
    prepare: orderIn('NOPAYMENT'),
  },
  cancelOrder: { body: () => ({ reason: 'requested by the buyer' }), prepare: orderIn('PAID') },
  bulkAcceptOrder: bulkOf(({ orderId }) => ({ order_id: orderId }), orderIn('ORDERED')),
  bulkCancelOrder: bulkOf(
    ({ orderId }) => ({ order_id: orderId, expected_status: 'PAID', body: { reason: 'requested by the buyer' } }),
    orderIn('PAID'),
  ),
  bulkDecideAccount: bulkOf(
    ({ accountId }) => ({
      account_id: accountId,
      body: { kyb: 'APPROVED', reason: 'register checked', acknowledged: approvalRisks },
    }),
    async (installation, world) => ({ accountId: await account(installation, world) }),
  ),
  bulkExtendPaymentDeadline: bulkOf(
    ({ orderId }) => ({ order_id: orderId, body: { payment_due_at: '2099-01-01T00:00:00.000Z' } }),
    orderIn('NOPAYMENT'),
  ),
}
