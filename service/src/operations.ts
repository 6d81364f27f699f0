import { createAccount } from './accounts/create-account.ts'
import { createBenefitingPerson } from './accounts/create-benefiting-person.ts'
import { getAccount } from './accounts/get-account.ts'
import { listAccounts } from './accounts/list-accounts.ts'
import { listBenefitingPersons } from './accounts/list-benefiting-persons.ts'
import { updateAccount } from './accounts/update-account.ts'
import { authenticate } from './credentials/authenticate.ts'
import { listEvents } from './events/list-events.ts'
import { listTransactions } from './holdings/list-transactions.ts'
import { listWalletBalances } from './holdings/list-wallet-balances.ts'
import type { PublicOperation, SignedOperation, TenantOperation } from './http/operation.ts'
import { getOffering } from './offerings/get-offering.ts'
import { listOfferings } from './offerings/list-offerings.ts'
import { cancelOrder } from './orders/cancel-order.ts'
import { createOrder } from './orders/create-order.ts'
import { getOrder } from './orders/get-order.ts'
import { listAccountOrders } from './orders/list-account-orders.ts'
import { listOfferingOrders } from './orders/list-offering-orders.ts'
import { receiveNotice } from './payment-providers/receive-notice.ts'
import { listRequests } from './requests/list-requests.ts'
import { getWallet } from './wallets/get-wallet.ts'
import { listWallets } from './wallets/list-wallets.ts'

/** The integrator's API at a glance. Each entry is a file of the same name. */
export const operations: readonly (TenantOperation | PublicOperation | SignedOperation)[] = [
  authenticate, //           POST  /auth

  createAccount, //          POST  /accounts
  listAccounts, //           GET   /accounts                                       (ours)
  getAccount, //             GET   /accounts/:accountId                            (ours)
  updateAccount, //          PATCH /accounts/:accountId
  createBenefitingPerson, // POST  /accounts/:accountId/benefiting-persons
  listBenefitingPersons, //  GET   /accounts/:accountId/benefiting-persons

  listAccountOrders, //      GET   /accounts/:accountId/orders
  listTransactions, //       GET   /accounts/:accountId/transactions
  listWallets, //            GET   /accounts/:accountId/wallets
  listWalletBalances, //     GET   /accounts/:accountId/wallets/balances
  getWallet, //              GET   /accounts/:accountId/wallets/:walletId

  listOfferings, //          GET   /offerings
  getOffering, //            GET   /offerings/:offeringId
  createOrder, //            POST  /offerings/:offeringId/orders
  listOfferingOrders, //     GET   /offerings/:offeringId/orders
  getOrder, //               GET   /offerings/:offeringId/orders/:orderId
  cancelOrder, //            PATCH /offerings/:offeringId/orders/:orderId/cancel

  listEvents, //             GET   /events                                         (ours)
  listRequests, //           GET   /requests                                       (ours)
  receiveNotice, //          POST  /payment-notices/:providerId                    (ours)
]
