import type { TenantOperation } from '../platform/api/declare/operation.ts'
import { expireDeadlines } from './expire-deadlines.ts'
import { simulateDecision } from './simulate-decision.ts'
import { simulateDistribution } from './simulate-distribution.ts'
import { simulateKycResult } from './simulate-kyc-result.ts'
import { simulateMintFailure } from './simulate-mint-failure.ts'
import { simulatePayment } from './simulate-payment.ts'
import { simulatePaymentDeadline } from './simulate-payment-deadline.ts'
import { simulateReorg } from './simulate-reorg.ts'
import { simulateTransfer } from './simulate-transfer.ts'
import { simulateTransferRequest } from './simulate-transfer-request.ts'
import { simulateWallet } from './simulate-wallet.ts'
import type { TestChains } from './test-chains.ts'

/** Simulations of other parties' actions and of failures. Only development serves these paths. */
export const simulationOperations = (chains: TestChains): readonly TenantOperation[] => [
  simulatePayment, //                 POST /simulations/orders/:orderId/payments
  simulatePaymentDeadline, //         POST /simulations/orders/:orderId/payment-deadline
  simulateDecision, //                POST /simulations/accounts/:accountId/decision
  simulateKycResult, //               POST /simulations/accounts/:accountId/kyc-result
  simulateWallet, //                  POST /simulations/accounts/:accountId/wallets
  simulateMintFailure(chains), //     POST /simulations/offerings/:offeringId/mint-failure
  simulateReorg(chains), //           POST /simulations/reorg
  simulateTransfer(chains), //        POST /simulations/transfers
  simulateTransferRequest(chains), // POST /simulations/transfers/:transferId/completion
  simulateDistribution, //            POST /simulations/offerings/:offeringId/distributions
  expireDeadlines, //                 POST /simulations/expire-deadlines
]
