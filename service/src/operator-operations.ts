import { confirmApproval } from './access/approvals/operator/confirm-approval.ts'
import { confirmDirectoryApproval } from './access/approvals/operator/confirm-directory-approval.ts'
import { getApproval } from './access/approvals/operator/get-approval.ts'
import { getDirectoryApproval } from './access/approvals/operator/get-directory-approval.ts'
import { listApprovals } from './access/approvals/operator/list-approvals.ts'
import { listDirectoryApprovals } from './access/approvals/operator/list-directory-approvals.ts'
import { rejectApproval } from './access/approvals/operator/reject-approval.ts'
import { rejectDirectoryApproval } from './access/approvals/operator/reject-directory-approval.ts'
import { withdrawApproval } from './access/approvals/operator/withdraw-approval.ts'
import { withdrawDirectoryApproval } from './access/approvals/operator/withdraw-directory-approval.ts'
import { createCredential } from './access/credentials/operator/create-credential.ts'
import { disableCredential } from './access/credentials/operator/disable-credential.ts'
import { getCredential } from './access/credentials/operator/get-credential.ts'
import { listCredentials } from './access/credentials/operator/list-credentials.ts'
import { rotateCredential } from './access/credentials/operator/rotate-credential.ts'
import { updateCredential } from './access/credentials/operator/update-credential.ts'
import { getApprovalPolicies } from './access/policies/operator/get-approval-policies.ts'
import { getDutyPairs } from './access/policies/operator/get-duty-pairs.ts'
import { setApprovalPolicy } from './access/policies/operator/set-approval-policy.ts'
import { setDutyPairs } from './access/policies/operator/set-duty-pairs.ts'
import { listSessions } from './access/sessions/operator/list-sessions.ts'
import { revokeSession } from './access/sessions/operator/revoke-session.ts'
import { createToken } from './access/users/operator/create-token.ts'
import { inviteUser } from './access/users/operator/invite-user.ts'
import { listTokens } from './access/users/operator/list-tokens.ts'
import { listUsers } from './access/users/operator/list-users.ts'
import { removeUser } from './access/users/operator/remove-user.ts'
import { revokeToken } from './access/users/operator/revoke-token.ts'
import { updateUser } from './access/users/operator/update-user.ts'
import { createPaymentProvider } from './money/payment-providers/operator/create-payment-provider.ts'
import { disablePaymentProvider } from './money/payment-providers/operator/disable-payment-provider.ts'
import { listPaymentProviders } from './money/payment-providers/operator/list-payment-providers.ts'
import { rotatePaymentProvider } from './money/payment-providers/operator/rotate-payment-provider.ts'
import { acceptLatePayment } from './money/payments/operator/accept-late-payment.ts'
import { assignPayment } from './money/payments/operator/assign-payment.ts'
import { dismissUnassignedPayment } from './money/payments/operator/dismiss-unassigned-payment.ts'
import { listPayments } from './money/payments/operator/list-payments.ts'
import { listUnassignedPayments } from './money/payments/operator/list-unassigned-payments.ts'
import { recordPayment } from './money/payments/operator/record-payment.ts'
import { createPayout } from './money/payouts/operator/create-payout.ts'
import { discardPayout } from './money/payouts/operator/discard-payout.ts'
import { downloadPayout } from './money/payouts/operator/download-payout.ts'
import { getPayout } from './money/payouts/operator/get-payout.ts'
import { listPayouts } from './money/payouts/operator/list-payouts.ts'
import { getStatement } from './money/statements/operator/get-statement.ts'
import { importStatement } from './money/statements/operator/import-statement.ts'
import { listStatementEntries } from './money/statements/operator/list-statement-entries.ts'
import { listStatements } from './money/statements/operator/list-statements.ts'
import { resolveStatementEntry } from './money/statements/operator/resolve-statement-entry.ts'
import { resolveStatementGap } from './money/statements/operator/resolve-statement-gap.ts'
import type { OperatorOperation } from './platform/api/declare/operation.ts'
import { listAudit } from './records/audit/operator/list-audit.ts'
import { listDirectoryAudit } from './records/audit/operator/list-directory-audit.ts'
import { decideAccount } from './sales/accounts/operator/decide-account.ts'
import { getAccountForOperator } from './sales/accounts/operator/get-account-for-operator.ts'
import { listBenefitingPersonsForOperator } from './sales/accounts/operator/list-benefiting-persons-for-operator.ts'
import { searchAccounts } from './sales/accounts/operator/search-accounts.ts'
import { closeOffering } from './sales/offerings/operator/close-offering.ts'
import { createOffering } from './sales/offerings/operator/create-offering.ts'
import { getOfferingForOperator } from './sales/offerings/operator/get-offering-for-operator.ts'
import { listOfferingsForOperator } from './sales/offerings/operator/list-offerings-for-operator.ts'
import { openOffering } from './sales/offerings/operator/open-offering.ts'
import { updateOffering } from './sales/offerings/operator/update-offering.ts'
import { acceptOrder } from './sales/orders/operator/accept-order.ts'
import { cancelOrderForOperator } from './sales/orders/operator/cancel-order-for-operator.ts'
import { extendPaymentDeadline } from './sales/orders/operator/extend-payment-deadline.ts'
import { getOrderForOperator } from './sales/orders/operator/get-order-for-operator.ts'
import { listOrders } from './sales/orders/operator/list-orders.ts'
import { releaseMintHold } from './sales/orders/operator/release-mint-hold.ts'
import { failRefund } from './sales/refunds/operator/fail-refund.ts'
import { getRefund } from './sales/refunds/operator/get-refund.ts'
import { listRefunds } from './sales/refunds/operator/list-refunds.ts'
import { retryRefund } from './sales/refunds/operator/retry-refund.ts'
import { sendRefund } from './sales/refunds/operator/send-refund.ts'
import { settleRefund } from './sales/refunds/operator/settle-refund.ts'
import { challengeWallet } from './sales/wallets/operator/challenge-wallet.ts'
import { getWalletForOperator } from './sales/wallets/operator/get-wallet-for-operator.ts'
import { listWalletsForOperator } from './sales/wallets/operator/list-wallets-for-operator.ts'
import { proveWallet } from './sales/wallets/operator/prove-wallet.ts'
import { registerWallet } from './sales/wallets/operator/register-wallet.ts'
import { resumeWallet } from './sales/wallets/operator/resume-wallet.ts'
import { retireWallet } from './sales/wallets/operator/retire-wallet.ts'
import { suspendWallet } from './sales/wallets/operator/suspend-wallet.ts'
import { attachToken } from './tokens/attached-tokens/operator/attach-token.ts'
import { attachTransaction } from './tokens/chain-ops/operator/attach-transaction.ts'
import { bumpChainOp } from './tokens/chain-ops/operator/bump-chain-op.ts'
import { cancelChainOp } from './tokens/chain-ops/operator/cancel-chain-op.ts'
import { getChainOp } from './tokens/chain-ops/operator/get-chain-op.ts'
import { listChainOps } from './tokens/chain-ops/operator/list-chain-ops.ts'
import { retryChainOp } from './tokens/chain-ops/operator/retry-chain-op.ts'
import { listHolders } from './tokens/holders/operator/list-holders.ts'
import { resumeMinting } from './tokens/minting/operator/resume-minting.ts'
import { confirmTokenAction } from './tokens/token-actions/operator/confirm-token-action.ts'
import { getTokenAction } from './tokens/token-actions/operator/get-token-action.ts'
import { listTokenActions } from './tokens/token-actions/operator/list-token-actions.ts'
import { proposeTokenAction } from './tokens/token-actions/operator/propose-token-action.ts'
import { rejectTokenAction } from './tokens/token-actions/operator/reject-token-action.ts'
import { createWebhookEndpoint } from './webhooks/operator/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from './webhooks/operator/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from './webhooks/operator/enable-webhook-endpoint.ts'
import { getWebhookEndpoint } from './webhooks/operator/get-webhook-endpoint.ts'
import { listWebhookDeliveries } from './webhooks/operator/list-webhook-deliveries.ts'
import { listWebhookEndpoints } from './webhooks/operator/list-webhook-endpoints.ts'
import { pingWebhookEndpoint } from './webhooks/operator/ping-webhook-endpoint.ts'
import { resendWebhookDelivery } from './webhooks/operator/resend-webhook-delivery.ts'
import { resendWebhookEvents } from './webhooks/operator/resend-webhook-events.ts'
import { rotateWebhookSecret } from './webhooks/operator/rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './webhooks/operator/update-webhook-endpoint.ts'

/** All operations of the operator API. Each entry is in the file of the same name in an operator/ folder. */
export const operatorOperations: readonly OperatorOperation[] = [
  createOffering, //                   POST  /offerings
  listOfferingsForOperator, //         GET   /offerings
  getOfferingForOperator, //           GET   /offerings/:offeringId
  updateOffering, //                   PATCH /offerings/:offeringId
  closeOffering, //                    POST  /offerings/:offeringId/close
  openOffering, //                     POST  /offerings/:offeringId/open

  searchAccounts, //                   POST  /accounts/search
  getAccountForOperator, //            GET   /accounts/:accountId
  listBenefitingPersonsForOperator, // GET   /accounts/:accountId/benefiting-persons
  decideAccount, //                    POST  /accounts/:accountId/decision

  registerWallet, //                   POST  /accounts/:accountId/wallets
  listWalletsForOperator, //           GET   /accounts/:accountId/wallets
  getWalletForOperator, //             GET   /accounts/:accountId/wallets/:walletId
  challengeWallet, //                  POST  /accounts/:accountId/wallets/:walletId/challenge
  proveWallet, //                      POST  /accounts/:accountId/wallets/:walletId/prove
  resumeWallet, //                     POST  /accounts/:accountId/wallets/:walletId/resume
  retireWallet, //                     POST  /accounts/:accountId/wallets/:walletId/retire
  suspendWallet, //                    POST  /accounts/:accountId/wallets/:walletId/suspend

  listOrders, //                       GET   /orders
  getOrderForOperator, //              GET   /orders/:orderId
  acceptOrder, //                      POST  /orders/:orderId/accept
  cancelOrderForOperator, //           POST  /orders/:orderId/cancel
  extendPaymentDeadline, //            POST  /orders/:orderId/extend
  releaseMintHold, //                  POST  /orders/:orderId/release

  acceptLatePayment, //                POST  /orders/:orderId/accept-late-payment
  recordPayment, //                    POST  /orders/:orderId/payments
  listPayments, //                     GET   /orders/:orderId/payments
  listUnassignedPayments, //           GET   /unassigned-payments
  assignPayment, //                    POST  /unassigned-payments/:paymentId/assign
  dismissUnassignedPayment, //         POST  /unassigned-payments/:paymentId/dismiss

  listRefunds, //                      GET   /refunds
  getRefund, //                        GET   /refunds/:refundId
  failRefund, //                       POST  /refunds/:refundId/fail
  retryRefund, //                      POST  /refunds/:refundId/retry
  sendRefund, //                       POST  /refunds/:refundId/send
  settleRefund, //                     POST  /refunds/:refundId/settle

  createPaymentProvider, //            POST  /payment-providers
  listPaymentProviders, //             GET   /payment-providers
  disablePaymentProvider, //           POST  /payment-providers/:providerId/disable
  rotatePaymentProvider, //            POST  /payment-providers/:providerId/rotate

  createPayout, //                     POST  /payouts
  listPayouts, //                      GET   /payouts
  getPayout, //                        GET   /payouts/:payoutId
  discardPayout, //                    POST  /payouts/:payoutId/discard
  downloadPayout, //                   POST  /payouts/:payoutId/download
  importStatement, //                  POST  /statements
  listStatements, //                   GET   /statements
  getStatement, //                     GET   /statements/:statementId
  listStatementEntries, //             GET   /statements/:statementId/entries
  resolveStatementEntry, //            POST  /statements/:statementId/entries/:entryId/resolve
  resolveStatementGap, //              POST  /statements/:statementId/resolve-gap

  listChainOps, //                     GET   /chain-ops
  getChainOp, //                       GET   /chain-ops/:opId
  attachTransaction, //                POST  /chain-ops/:opId/attach
  bumpChainOp, //                      POST  /chain-ops/:opId/bump
  cancelChainOp, //                    POST  /chain-ops/:opId/cancel
  retryChainOp, //                     POST  /chain-ops/:opId/retry

  attachToken, //                      POST  /offerings/:offeringId/attach-token
  listHolders, //                      GET   /offerings/:offeringId/holders
  resumeMinting, //                    POST  /offerings/:offeringId/resume-minting
  proposeTokenAction, //               POST  /offerings/:offeringId/token-actions
  listTokenActions, //                 GET   /token-actions
  getTokenAction, //                   GET   /token-actions/:actionId
  confirmTokenAction, //               POST  /token-actions/:actionId/confirm
  rejectTokenAction, //                POST  /token-actions/:actionId/reject

  createCredential, //                 POST  /credentials
  listCredentials, //                  GET   /credentials
  getCredential, //                    GET   /credentials/:clientId
  updateCredential, //                 PATCH /credentials/:clientId
  disableCredential, //                POST  /credentials/:clientId/disable
  rotateCredential, //                 POST  /credentials/:clientId/rotate

  createWebhookEndpoint, //            POST  /webhook-endpoints
  listWebhookEndpoints, //             GET   /webhook-endpoints
  getWebhookEndpoint, //               GET   /webhook-endpoints/:endpointId
  updateWebhookEndpoint, //            PATCH /webhook-endpoints/:endpointId
  disableWebhookEndpoint, //           POST  /webhook-endpoints/:endpointId/disable
  enableWebhookEndpoint, //            POST  /webhook-endpoints/:endpointId/enable
  pingWebhookEndpoint, //              POST  /webhook-endpoints/:endpointId/ping
  resendWebhookEvents, //              POST  /webhook-endpoints/:endpointId/resend
  rotateWebhookSecret, //              POST  /webhook-endpoints/:endpointId/rotate
  listWebhookDeliveries, //            GET   /webhook-endpoints/:endpointId/deliveries
  resendWebhookDelivery, //            POST  /webhook-endpoints/:endpointId/deliveries/:eventId/resend

  inviteUser, //                       POST  /users
  listUsers, //                        GET   /users
  updateUser, //                       PATCH /users/:userId
  removeUser, //                       POST  /users/:userId/remove
  createToken, //                      POST  /users/:userId/tokens
  listTokens, //                       GET   /users/:userId/tokens
  revokeToken, //                      POST  /users/:userId/tokens/:tokenId/revoke

  listSessions, //                     GET   /users/:userId/sessions
  revokeSession, //                    POST  /users/:userId/sessions/:sessionId/revoke

  listApprovals, //                    GET   /approvals
  getApproval, //                      GET   /approvals/:approvalId
  confirmApproval, //                  POST  /approvals/:approvalId/confirm
  rejectApproval, //                   POST  /approvals/:approvalId/reject
  withdrawApproval, //                 POST  /approvals/:approvalId/withdraw
  listDirectoryApprovals, //           GET   /directory-approvals
  getDirectoryApproval, //             GET   /directory-approvals/:approvalId
  confirmDirectoryApproval, //         POST  /directory-approvals/:approvalId/confirm
  rejectDirectoryApproval, //          POST  /directory-approvals/:approvalId/reject
  withdrawDirectoryApproval, //        POST  /directory-approvals/:approvalId/withdraw

  getApprovalPolicies, //              GET   /approval-policies
  setApprovalPolicy, //                POST  /approval-policies
  getDutyPairs, //                     GET   /duty-pairs
  setDutyPairs, //                     POST  /duty-pairs

  listAudit, //                        GET   /audit
  listDirectoryAudit, //               GET   /directory-audit
]
