import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { correctAccount } from './accounts/operator/correct-account.ts'
import { createBenefitingPersonForOperator } from './accounts/operator/create-benefiting-person-for-operator.ts'
import { decideAccount } from './accounts/operator/decide-account.ts'
import { getAccountForOperator } from './accounts/operator/get-account-for-operator.ts'
import { listBenefitingPersonsForOperator } from './accounts/operator/list-benefiting-persons-for-operator.ts'
import { revealAccount } from './accounts/operator/reveal-account.ts'
import { searchAccounts } from './accounts/operator/search-accounts.ts'
import { deleteDocument } from './documents/operator/delete-document.ts'
import { downloadDocument } from './documents/operator/download-document.ts'
import { listAccountDocuments, listOfferingDocuments, listOrderDocuments } from './documents/operator/list-documents.ts'
import {
  uploadAccountDocument,
  uploadOfferingDocument,
  uploadOrderDocument,
} from './documents/operator/upload-document.ts'
import { getEligibility } from './eligibility/operator/get-eligibility.ts'
import { inviteAccounts } from './eligibility/operator/invite-accounts.ts'
import { listInvitedAccounts } from './eligibility/operator/list-invited-accounts.ts'
import { setEligibility } from './eligibility/operator/set-eligibility.ts'
import { withdrawInvitation } from './eligibility/operator/withdraw-invitation.ts'
import { kycProviderOperations } from './kyc-providers/kyc-provider-operations.ts'
import { changeSaleTerms } from './offerings/operator/change-sale-terms.ts'
import { closeOffering } from './offerings/operator/close-offering.ts'
import { createOffering } from './offerings/operator/create-offering.ts'
import { getOfferingForOperator } from './offerings/operator/get-offering-for-operator.ts'
import { listOfferingsForOperator } from './offerings/operator/list-offerings-for-operator.ts'
import { listTermsHistory } from './offerings/operator/list-terms-history.ts'
import { pauseOffering } from './offerings/operator/pause-offering.ts'
import { resumeOffering } from './offerings/operator/resume-offering.ts'
import { setRegisterDetails } from './offerings/operator/set-register-details.ts'
import { updateOffering } from './offerings/operator/update-offering.ts'
import { openOffering } from './opening/operator/open-offering.ts'
import { acceptOrder } from './orders/operator/accept-order.ts'
import { cancelOrderForOperator } from './orders/operator/cancel-order-for-operator.ts'
import { createOrderForOperator } from './orders/operator/create-order-for-operator.ts'
import { extendPaymentDeadline } from './orders/operator/extend-payment-deadline.ts'
import { getOrderForOperator } from './orders/operator/get-order-for-operator.ts'
import { listOrders } from './orders/operator/list-orders.ts'
import { refundAllOrders } from './orders/operator/refund-all-orders.ts'
import { releaseMintHold } from './orders/operator/release-mint-hold.ts'
import { approveRefundAccount } from './refunds/operator/approve-refund-account.ts'
import { failRefund } from './refunds/operator/fail-refund.ts'
import { getRefund } from './refunds/operator/get-refund.ts'
import { listRefunds } from './refunds/operator/list-refunds.ts'
import { retryRefund } from './refunds/operator/retry-refund.ts'
import { sendRefund } from './refunds/operator/send-refund.ts'
import { settleRefund } from './refunds/operator/settle-refund.ts'
import { challengeWalletForOperator } from './wallets/operator/challenge-wallet-for-operator.ts'
import { getWalletForOperator } from './wallets/operator/get-wallet-for-operator.ts'
import { listWalletsForOperator } from './wallets/operator/list-wallets-for-operator.ts'
import { proveWalletForOperator } from './wallets/operator/prove-wallet-for-operator.ts'
import { registerWalletForOperator } from './wallets/operator/register-wallet-for-operator.ts'
import { resumeWallet } from './wallets/operator/resume-wallet.ts'
import { retireWallet } from './wallets/operator/retire-wallet.ts'
import { suspendWallet } from './wallets/operator/suspend-wallet.ts'

/** Operations on offerings, investors, wallets, orders and refunds. */
export const salesOperations: readonly OperatorOperation[] = [
  createOffering, //                   POST  /offerings
  listOfferingsForOperator, //         GET   /offerings
  getOfferingForOperator, //           GET   /offerings/:offeringId
  updateOffering, //                   PATCH /offerings/:offeringId
  closeOffering, //                    POST  /offerings/:offeringId/close
  openOffering, //                     POST  /offerings/:offeringId/open
  refundAllOrders, //                  POST  /offerings/:offeringId/refund-all
  pauseOffering, //                    POST  /offerings/:offeringId/pause
  resumeOffering, //                   POST  /offerings/:offeringId/resume
  changeSaleTerms, //                  POST  /offerings/:offeringId/terms
  listTermsHistory, //                 GET   /offerings/:offeringId/terms-history
  setRegisterDetails, //               POST  /offerings/:offeringId/register-details

  searchAccounts, //                   POST  /accounts/search
  getAccountForOperator, //            GET   /accounts/:accountId
  listBenefitingPersonsForOperator, // GET   /accounts/:accountId/benefiting-persons
  decideAccount, //                    POST  /accounts/:accountId/decision
  revealAccount, //                    POST  /accounts/:accountId/reveal
  correctAccount, //                   PATCH /accounts/:accountId
  createBenefitingPersonForOperator, // POST /accounts/:accountId/benefiting-persons

  uploadAccountDocument, //            POST  /accounts/:accountId/documents
  listAccountDocuments, //             GET   /accounts/:accountId/documents
  uploadOrderDocument, //              POST  /orders/:orderId/documents
  listOrderDocuments, //               GET   /orders/:orderId/documents
  uploadOfferingDocument, //           POST  /offerings/:offeringId/documents
  listOfferingDocuments, //            GET   /offerings/:offeringId/documents
  downloadDocument, //                 POST  /documents/:documentId/download
  deleteDocument, //                   POST  /documents/:documentId/delete

  ...kycProviderOperations,

  setEligibility, //      POST  /offerings/:offeringId/eligibility
  getEligibility, //      GET   /offerings/:offeringId/eligibility
  inviteAccounts, //      POST  /offerings/:offeringId/invitations
  listInvitedAccounts, // GET   /offerings/:offeringId/invitations
  withdrawInvitation, //  POST  /offerings/:offeringId/invitations/:accountId/withdraw

  registerWalletForOperator, //        POST  /accounts/:accountId/wallets
  listWalletsForOperator, //           GET   /accounts/:accountId/wallets
  getWalletForOperator, //             GET   /accounts/:accountId/wallets/:walletId
  challengeWalletForOperator, //       POST  /accounts/:accountId/wallets/:walletId/challenge
  proveWalletForOperator, //           POST  /accounts/:accountId/wallets/:walletId/prove
  resumeWallet, //                     POST  /accounts/:accountId/wallets/:walletId/resume
  retireWallet, //                     POST  /accounts/:accountId/wallets/:walletId/retire
  suspendWallet, //                    POST  /accounts/:accountId/wallets/:walletId/suspend

  listOrders, //                       GET   /orders
  createOrderForOperator, //           POST  /offerings/:offeringId/orders
  getOrderForOperator, //              GET   /orders/:orderId
  acceptOrder, //                      POST  /orders/:orderId/accept
  cancelOrderForOperator, //           POST  /orders/:orderId/cancel
  extendPaymentDeadline, //            POST  /orders/:orderId/extend
  releaseMintHold, //                  POST  /orders/:orderId/release

  listRefunds, //                      GET   /refunds
  getRefund, //                        GET   /refunds/:refundId
  approveRefundAccount, //             POST  /refunds/:refundId/approve-account
  failRefund, //                       POST  /refunds/:refundId/fail
  retryRefund, //                      POST  /refunds/:refundId/retry
  sendRefund, //                       POST  /refunds/:refundId/send
  settleRefund, //                     POST  /refunds/:refundId/settle
]
