import type { TenantOperation } from '../platform/api/declare/operation.ts'
import { expireDeadlines } from './expire-deadlines.ts'
import type { Lab } from './lab.ts'
import { simulateDecision } from './simulate-decision.ts'
import { simulateMintFailure } from './simulate-mint-failure.ts'
import { simulatePayment } from './simulate-payment.ts'
import { simulatePaymentDeadline } from './simulate-payment-deadline.ts'
import { simulateReorg } from './simulate-reorg.ts'
import { simulateTransfer } from './simulate-transfer.ts'
import { simulateWallet } from './simulate-wallet.ts'

/**
 * What happens to an integrator in the course of a year, at the push of a button. Served in development and nowhere
 * else: there these paths do not exist.
 */
export const simulationOperations = (lab: Lab): readonly TenantOperation[] => [
  simulatePayment, //             POST /simulations/orders/:orderId/payments
  simulatePaymentDeadline, //     POST /simulations/orders/:orderId/payment-deadline
  simulateDecision, //            POST /simulations/accounts/:accountId/decision
  simulateWallet, //              POST /simulations/accounts/:accountId/wallets
  simulateMintFailure(lab), //    POST /simulations/offerings/:offeringId/mint-failure
  simulateReorg(lab), // POST /simulations/reorganisation
  simulateTransfer(lab), //       POST /simulations/transfers
  expireDeadlines, //                POST /simulations/clock
]
