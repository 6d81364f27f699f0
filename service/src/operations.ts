import { authenticate } from './access/credentials/authenticate.ts'
import { listRequests } from './access/requests/list-requests.ts'
import { createRegisterExtract } from './disclosure/register-extracts/create-register-extract.ts'
import { getRegisterExtract } from './disclosure/register-extracts/get-register-extract.ts'
import { listRegisterExtracts } from './disclosure/register-extracts/list-register-extracts.ts'
import { receivePaymentNotification } from './money/payment-providers/receive-payment-notification.ts'
import type { PublicOperation, SignedOperation, TenantOperation } from './platform/api/declare/operation.ts'
import { listEvents } from './records/events/list-events.ts'
import { createAccount } from './sales/accounts/create-account.ts'
import { createBenefitingPerson } from './sales/accounts/create-benefiting-person.ts'
import { getAccount } from './sales/accounts/get-account.ts'
import { listAccounts } from './sales/accounts/list-accounts.ts'
import { listBenefitingPersons } from './sales/accounts/list-benefiting-persons.ts'
import { updateAccount } from './sales/accounts/update-account.ts'
import { acceptDocument } from './sales/eligibility/accept-document.ts'
import { answerQuestionnaire } from './sales/eligibility/answer-questionnaire.ts'
import { getAccountEligibility } from './sales/eligibility/get-account-eligibility.ts'
import { listEntitlements } from './sales/entitlements/list-entitlements.ts'
import { receiveKycNotification } from './sales/kyc-providers/receive-kyc-notification.ts'
import { getOffering } from './sales/offerings/get-offering.ts'
import { listOfferings } from './sales/offerings/list-offerings.ts'
import { cancelOrder } from './sales/orders/cancel-order.ts'
import { createOrder } from './sales/orders/create-order.ts'
import { getOrder } from './sales/orders/get-order.ts'
import { listAccountOrders } from './sales/orders/list-account-orders.ts'
import { listOfferingOrders } from './sales/orders/list-offering-orders.ts'
import { challengeWallet } from './sales/wallets/challenge-wallet.ts'
import { getWallet } from './sales/wallets/get-wallet.ts'
import { listWallets } from './sales/wallets/list-wallets.ts'
import { proveWallet } from './sales/wallets/prove-wallet.ts'
import { registerWallet } from './sales/wallets/register-wallet.ts'
import { simulationOperations } from './simulations/simulation-operations.ts'
import { listTransactions } from './tokens/balances/list-transactions.ts'
import { listWalletBalances } from './tokens/balances/list-wallet-balances.ts'
import { cancelTransfer } from './tokens/transfers/cancel-transfer.ts'
import { createTransfer } from './tokens/transfers/create-transfer.ts'
import { getTransfer } from './tokens/transfers/get-transfer.ts'
import { listTransfers } from './tokens/transfers/list-transfers.ts'

type IntegratorOperation = TenantOperation | PublicOperation | SignedOperation

/** All operations of the API for integrators. Each entry is in the file of the same name; (ours) is an extension. */
export const operations: readonly IntegratorOperation[] = [
  authenticate, //               POST  /auth

  createAccount, //              POST  /accounts
  listAccounts, //               GET   /accounts                                      (ours)
  getAccount, //                 GET   /accounts/:accountId                           (ours)
  updateAccount, //              PATCH /accounts/:accountId
  createBenefitingPerson, //     POST  /accounts/:accountId/benefiting-persons
  listBenefitingPersons, //      GET   /accounts/:accountId/benefiting-persons

  listAccountOrders, //          GET   /accounts/:accountId/orders
  listTransactions, //           GET   /accounts/:accountId/transactions
  listEntitlements, //           GET   /accounts/:accountId/entitlements              (ours)
  listWallets, //                GET   /accounts/:accountId/wallets
  listWalletBalances, //         GET   /accounts/:accountId/wallets/balances
  getWallet, //                  GET   /accounts/:accountId/wallets/:walletId
  registerWallet, //             POST  /accounts/:accountId/wallets                   (ours)
  challengeWallet, //            POST  /accounts/:accountId/wallets/:walletId/challenge (ours)
  proveWallet, //                POST  /accounts/:accountId/wallets/:walletId/prove   (ours)

  createRegisterExtract, //      POST  /accounts/:accountId/register-extracts         (ours)
  listRegisterExtracts, //       GET   /accounts/:accountId/register-extracts         (ours)
  getRegisterExtract, //         GET   /accounts/:accountId/register-extracts/:extractId (ours)

  getAccountEligibility, //      GET   /accounts/:accountId/eligibility/:offeringId   (ours)
  acceptDocument, //             POST  /accounts/:accountId/eligibility/:offeringId/documents/:documentId/accept (ours)
  answerQuestionnaire, //        POST  /accounts/:accountId/eligibility/:offeringId/questionnaire (ours)

  listOfferings, //              GET   /offerings
  getOffering, //                GET   /offerings/:offeringId
  createOrder, //                POST  /offerings/:offeringId/orders
  listOfferingOrders, //         GET   /offerings/:offeringId/orders
  getOrder, //                   GET   /offerings/:offeringId/orders/:orderId
  cancelOrder, //                PATCH /offerings/:offeringId/orders/:orderId/cancel

  createTransfer, //             POST  /transfers                                     (ours)
  listTransfers, //              GET   /transfers                                     (ours)
  getTransfer, //                GET   /transfers/:transferId                         (ours)
  cancelTransfer, //             POST  /transfers/:transferId/cancel                  (ours)

  listEvents, //                 GET   /events                                        (ours)
  listRequests, //               GET   /requests                                      (ours)
  receivePaymentNotification, // POST  /payment-notifications/:providerId             (ours)
  receiveKycNotification, //     POST  /kyc-notifications/:providerId                 (ours)
]

/** The operations in the API reference, including simulations, although only development serves them. */
export const describedOperations: readonly IntegratorOperation[] = [...operations, ...simulationOperations(new Map())]
