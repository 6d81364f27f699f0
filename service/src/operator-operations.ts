import { decideAccount } from './accounts/operator/decide-account.ts'
import { getAccount } from './accounts/operator/get-account.ts'
import { listBenefitingPersons } from './accounts/operator/list-benefiting-persons.ts'
import { searchAccounts } from './accounts/operator/search-accounts.ts'
import { createToken } from './administrators/operator/create-token.ts'
import { inviteAdministrator } from './administrators/operator/invite-administrator.ts'
import { listAdministrators } from './administrators/operator/list-administrators.ts'
import { listTokens } from './administrators/operator/list-tokens.ts'
import { removeAdministrator } from './administrators/operator/remove-administrator.ts'
import { revokeToken } from './administrators/operator/revoke-token.ts'
import { updateAdministrator } from './administrators/operator/update-administrator.ts'
import { listAudit } from './audit/operator/list-audit.ts'
import { listDirectoryAudit } from './audit/operator/list-directory-audit.ts'
import { createCredential } from './credentials/operator/create-credential.ts'
import { disableCredential } from './credentials/operator/disable-credential.ts'
import { getCredential } from './credentials/operator/get-credential.ts'
import { listCredentials } from './credentials/operator/list-credentials.ts'
import { rotateCredential } from './credentials/operator/rotate-credential.ts'
import { updateCredential } from './credentials/operator/update-credential.ts'
import type { OperatorOperation } from './http/operation.ts'
import { closeOffering } from './offerings/operator/close-offering.ts'
import { createOffering } from './offerings/operator/create-offering.ts'
import { getOffering } from './offerings/operator/get-offering.ts'
import { listOfferings } from './offerings/operator/list-offerings.ts'
import { openOffering } from './offerings/operator/open-offering.ts'
import { updateOffering } from './offerings/operator/update-offering.ts'
import { acceptOrder } from './orders/operator/accept-order.ts'
import { cancelOrder } from './orders/operator/cancel-order.ts'
import { extendOrder } from './orders/operator/extend-order.ts'
import { getOrder } from './orders/operator/get-order.ts'
import { listOrders } from './orders/operator/list-orders.ts'
import { releaseOrder } from './orders/operator/release-order.ts'
import { createPaymentProvider } from './payment-providers/operator/create-payment-provider.ts'
import { disablePaymentProvider } from './payment-providers/operator/disable-payment-provider.ts'
import { listPaymentProviders } from './payment-providers/operator/list-payment-providers.ts'
import { rotatePaymentProvider } from './payment-providers/operator/rotate-payment-provider.ts'
import { acceptLatePayment } from './payments/operator/accept-late-payment.ts'
import { assignPayment } from './payments/operator/assign-payment.ts'
import { dismissUnassignedPayment } from './payments/operator/dismiss-unassigned-payment.ts'
import { listPayments } from './payments/operator/list-payments.ts'
import { listUnassignedPayments } from './payments/operator/list-unassigned-payments.ts'
import { recordPayment } from './payments/operator/record-payment.ts'
import { createPayout } from './payouts/operator/create-payout.ts'
import { discardPayout } from './payouts/operator/discard-payout.ts'
import { downloadPayout } from './payouts/operator/download-payout.ts'
import { getPayout } from './payouts/operator/get-payout.ts'
import { listPayouts } from './payouts/operator/list-payouts.ts'
import { failRefund } from './refunds/operator/fail-refund.ts'
import { getRefund } from './refunds/operator/get-refund.ts'
import { listRefunds } from './refunds/operator/list-refunds.ts'
import { retryRefund } from './refunds/operator/retry-refund.ts'
import { sendRefund } from './refunds/operator/send-refund.ts'
import { settleRefund } from './refunds/operator/settle-refund.ts'
import { attachToken } from './settlement/operator/attach-token.ts'
import { attachTransaction } from './settlement/operator/attach-transaction.ts'
import { bumpChainOp } from './settlement/operator/bump-chain-op.ts'
import { cancelChainOp } from './settlement/operator/cancel-chain-op.ts'
import { confirmTokenAction } from './settlement/operator/confirm-token-action.ts'
import { getChainOp } from './settlement/operator/get-chain-op.ts'
import { getTokenAction } from './settlement/operator/get-token-action.ts'
import { listChainOps } from './settlement/operator/list-chain-ops.ts'
import { listHolders } from './settlement/operator/list-holders.ts'
import { listTokenActions } from './settlement/operator/list-token-actions.ts'
import { proposeTokenAction } from './settlement/operator/propose-token-action.ts'
import { rejectTokenAction } from './settlement/operator/reject-token-action.ts'
import { resumeMinting } from './settlement/operator/resume-minting.ts'
import { retryChainOp } from './settlement/operator/retry-chain-op.ts'
import { getStatement } from './statements/operator/get-statement.ts'
import { handleStatementEntry } from './statements/operator/handle-statement-entry.ts'
import { importStatement } from './statements/operator/import-statement.ts'
import { listStatementEntries } from './statements/operator/list-statement-entries.ts'
import { listStatements } from './statements/operator/list-statements.ts'
import { challengeWallet } from './wallets/operator/challenge-wallet.ts'
import { getWallet } from './wallets/operator/get-wallet.ts'
import { listWallets } from './wallets/operator/list-wallets.ts'
import { proveWallet } from './wallets/operator/prove-wallet.ts'
import { registerWallet } from './wallets/operator/register-wallet.ts'
import { resumeWallet } from './wallets/operator/resume-wallet.ts'
import { retireWallet } from './wallets/operator/retire-wallet.ts'
import { suspendWallet } from './wallets/operator/suspend-wallet.ts'
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

/** The operator's API at a glance. Each entry is a file of the same name in an operator/ folder. */
export const operatorOperations: readonly OperatorOperation[] = [
  createOffering, //        POST  /offerings
  listOfferings, //         GET   /offerings
  getOffering, //           GET   /offerings/:offeringId
  updateOffering, //        PATCH /offerings/:offeringId
  closeOffering, //         POST  /offerings/:offeringId/close
  openOffering, //          POST  /offerings/:offeringId/open

  searchAccounts, //        GET   /accounts
  getAccount, //            GET   /accounts/:accountId
  listBenefitingPersons, // GET   /accounts/:accountId/benefiting-persons
  decideAccount, //         POST  /accounts/:accountId/decision

  registerWallet, //        POST  /accounts/:accountId/wallets
  listWallets, //           GET   /accounts/:accountId/wallets
  getWallet, //             GET   /accounts/:accountId/wallets/:walletId
  challengeWallet, //       POST  /accounts/:accountId/wallets/:walletId/challenge
  proveWallet, //           POST  /accounts/:accountId/wallets/:walletId/prove
  resumeWallet, //          POST  /accounts/:accountId/wallets/:walletId/resume
  retireWallet, //          POST  /accounts/:accountId/wallets/:walletId/retire
  suspendWallet, //         POST  /accounts/:accountId/wallets/:walletId/suspend

  listOrders, //            GET   /orders
  getOrder, //              GET   /orders/:orderId
  acceptOrder, //           POST  /orders/:orderId/accept
  cancelOrder, //           POST  /orders/:orderId/cancel
  extendOrder, //           POST  /orders/:orderId/extend
  releaseOrder, //          POST  /orders/:orderId/release

  acceptLatePayment, //     POST  /orders/:orderId/accept-late-payment
  recordPayment, //         POST  /orders/:orderId/payments
  listPayments, //          GET   /orders/:orderId/payments
  listUnassignedPayments, // GET   /unassigned-payments
  assignPayment, //         POST  /unassigned-payments/:paymentId/assign
  dismissUnassignedPayment, // POST  /unassigned-payments/:paymentId/dismiss

  listRefunds, //           GET   /refunds
  getRefund, //             GET   /refunds/:refundId
  failRefund, //            POST  /refunds/:refundId/fail
  retryRefund, //           POST  /refunds/:refundId/retry
  sendRefund, //            POST  /refunds/:refundId/send
  settleRefund, //          POST  /refunds/:refundId/settle

  createPaymentProvider, // POST  /payment-providers
  listPaymentProviders, //  GET   /payment-providers
  disablePaymentProvider, // POST /payment-providers/:providerId/disable
  rotatePaymentProvider, // POST  /payment-providers/:providerId/rotate

  createPayout, //          POST  /payouts
  listPayouts, //           GET   /payouts
  getPayout, //             GET   /payouts/:payoutId
  discardPayout, //         POST  /payouts/:payoutId/discard
  downloadPayout, //        POST  /payouts/:payoutId/download
  importStatement, //       POST  /statements
  listStatements, //        GET   /statements
  getStatement, //          GET   /statements/:statementId
  listStatementEntries, //  GET   /statements/:statementId/entries
  handleStatementEntry, //  POST  /statements/:statementId/entries/:entryId/handle

  listChainOps, //          GET   /chain-ops
  getChainOp, //            GET   /chain-ops/:opId
  attachTransaction, //     POST  /chain-ops/:opId/attach
  bumpChainOp, //           POST  /chain-ops/:opId/bump
  cancelChainOp, //         POST  /chain-ops/:opId/cancel
  retryChainOp, //          POST  /chain-ops/:opId/retry

  attachToken, //           POST  /offerings/:offeringId/attach-token
  listHolders, //           GET   /offerings/:offeringId/holders
  resumeMinting, //         POST  /offerings/:offeringId/resume-minting
  proposeTokenAction, //    POST  /offerings/:offeringId/token-actions
  listTokenActions, //      GET   /token-actions
  getTokenAction, //        GET   /token-actions/:actionId
  confirmTokenAction, //    POST  /token-actions/:actionId/confirm
  rejectTokenAction, //     POST  /token-actions/:actionId/reject

  createCredential, //      POST  /credentials
  listCredentials, //       GET   /credentials
  getCredential, //         GET   /credentials/:clientId
  updateCredential, //      PATCH /credentials/:clientId
  disableCredential, //     POST  /credentials/:clientId/disable
  rotateCredential, //      POST  /credentials/:clientId/rotate

  createWebhookEndpoint, //  POST  /webhook-endpoints
  listWebhookEndpoints, //   GET   /webhook-endpoints
  getWebhookEndpoint, //     GET   /webhook-endpoints/:endpointId
  updateWebhookEndpoint, //  PATCH /webhook-endpoints/:endpointId
  disableWebhookEndpoint, // POST  /webhook-endpoints/:endpointId/disable
  enableWebhookEndpoint, //  POST  /webhook-endpoints/:endpointId/enable
  pingWebhookEndpoint, //    POST  /webhook-endpoints/:endpointId/ping
  resendWebhookEvents, //    POST  /webhook-endpoints/:endpointId/resend
  rotateWebhookSecret, //    POST  /webhook-endpoints/:endpointId/rotate
  listWebhookDeliveries, //  GET   /webhook-endpoints/:endpointId/deliveries
  resendWebhookDelivery, //  POST  /webhook-endpoints/:endpointId/deliveries/:eventId/resend

  inviteAdministrator, //   POST  /administrators
  listAdministrators, //    GET   /administrators
  updateAdministrator, //   PATCH /administrators/:administratorId
  removeAdministrator, //   POST  /administrators/:administratorId/remove
  createToken, //           POST  /administrators/:administratorId/tokens
  listTokens, //            GET   /administrators/:administratorId/tokens
  revokeToken, //           POST  /administrators/:administratorId/tokens/:tokenId/revoke

  listAudit, //             GET   /audit
  listDirectoryAudit, //    GET   /directory-audit
]
